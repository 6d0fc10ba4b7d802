import { isNotFound } from "../../provider/client/errors/errors";
import { apiKey } from "../../provider/resources/auth/api-key/api-key";
import { startScenario, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

it("keeps an object in the state, and on the service, where an endpoint is not there", async () => {
  const keys = scenario.manage(apiKey);
  const projectRef = scenario.healthyProject();
  const made = await keys.create({ projectRef, type: "secret", name: "backend" });
  const { control } = scenario.emulator;
  for (const operation of ["getApiKey", "listApiKeys", "deleteApiKey"] as const) {
    control.addFault({
      operation,
      status: 404,
      times: Infinity,
      body: { message: `Cannot GET /v1/${operation}` },
    });
  }
  scenario.nextRun();
  for (const step of [keys.read(made), keys.delete(made)]) {
    const error: unknown = await step.then(
      () => undefined,
      (failure: unknown) => failure,
    );
    expect(error).toBeInstanceOf(Error);
    expect(isNotFound(error)).toBe(false);
  }
});

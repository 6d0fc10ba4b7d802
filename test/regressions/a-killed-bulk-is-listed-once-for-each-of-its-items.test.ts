import { secret } from "../../provider/resources/functions/secret/secret";
import { startScenario, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

it("the run after a bulk without an answer looks at the collection once", async () => {
  const { control } = scenario.emulator;
  const projectRef = scenario.healthyProject();
  const createAll = (): Promise<unknown>[] =>
    Array.from({ length: 20 }, (_, index) =>
      scenario.manage(secret).create({
        __owner: `acme/shop/dev/secret-${index}`,
        projectRef,
        name: `SECRET_${index}`,
        value: `value ${index}`,
      }),
    );
  control.addFault({ operation: "createSecrets", status: 502, times: 1_000 });
  const outcomes = await Promise.allSettled(createAll());
  expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);

  control.clearFaults();
  control.clearCalls();
  scenario.nextRun();
  await Promise.all(createAll());
  expect(control.call("listSecrets", { ref: projectRef })).toHaveLength(20);
  expect([scenario.calls("listSecrets"), scenario.calls("createSecrets")]).toEqual([1, 1]);
});

import type { Values } from "../../provider/lifecycle/state";
import { apiKey } from "../../provider/resources/auth/api-key/api-key";
import { secret } from "../../provider/resources/functions/secret/secret";
import { startScenario, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

const token = (): Values => ({ projectRef, name: "PAYMENT_TOKEN", value: "first-value" });

it("takes the hash of the declared value for no drift", async () => {
  const secrets = scenario.manage(secret);
  const made = await secrets.create(token());
  scenario.nextRun();
  const read = await secrets.read(made);
  expect(read?.state["value"]).toBe("first-value");
  expect(secrets.diff(read?.state ?? {}, token()).changes).toBe(false);
});

it("sees by the hash that a value was changed outside, and repairs it", async () => {
  const secrets = scenario.manage(secret);
  const made = await secrets.create(token());
  scenario.emulator.control.call("createSecrets", {
    ref: projectRef,
    body: [{ name: "PAYMENT_TOKEN", value: "changed by hand" }],
  });
  scenario.nextRun();
  const read = await secrets.read(made);
  expect([...secrets.diff(read?.state ?? {}, token()).changed]).toEqual(["value"]);
  await secrets.update({ id: made.id, state: read?.state ?? {} }, token());
  const onService = scenario.emulator.world.state.projects.get(projectRef)?.secrets.get("PAYMENT_TOKEN");
  expect(onService?.value).toBe("first-value");
});

it("reads an API key revealed, so that it is not replaced by its mask", async () => {
  const keys = scenario.manage(apiKey);
  const made = await keys.create({ projectRef, type: "secret", name: "backend" });
  const key = scenario.emulator.world.state.projects.get(projectRef)?.apiKeys.get(made.id)?.apiKey;
  expect(made.state["apiKey"]).toBe(key);
  scenario.nextRun();
  expect((await keys.read(made))?.state["apiKey"]).toBe(key);
});

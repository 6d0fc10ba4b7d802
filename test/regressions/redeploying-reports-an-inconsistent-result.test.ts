import { edgeFunction } from "../../provider/resources/functions/edge-function/edge-function";
import { startScenario } from "../lifecycle/scenario";

it("version and checksum are those of the new deploy after an update, and no difference after it", async () => {
  const scenario = await startScenario();
  const ref = scenario.healthyProject();
  const functions = scenario.manage(edgeFunction);
  const inputs = (text: string) => ({ projectRef: ref, slug: "hello", files: { "index.ts": text } });
  const made = await functions.create(inputs("one"));
  const updated = await functions.update(made, inputs("two"));
  const onService = scenario.emulator.world.state.projects.get(ref)?.functions.get("hello");
  expect(updated.state).toMatchObject({ version: onService?.version, ezbrSha256: onService?.ezbrSha256 });
  expect(updated.state["version"]).not.toBe(made.state["version"]);
  expect(updated.state["ezbrSha256"]).not.toBe(made.state["ezbrSha256"]);
  expect(functions.diff(updated.state, inputs("two")).changes).toBe(false);
  await scenario.close();
});

import { edgeFunction } from "../../provider/resources/functions/edge-function/edge-function";
import { secret } from "../../provider/resources/functions/secret/secret";
import { startScenario, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
let ref: string;
beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
});
afterEach(() => scenario.close());

it("finds a secret that somebody wrote since the run first looked", async () => {
  const secrets = scenario.manage(secret);
  await secrets.create({ projectRef: ref, name: "FIRST", value: "one" });
  scenario.emulator.control.call("createSecrets", { ref, body: [{ name: "SECOND", value: "theirs" }] });
  await expect(secrets.create({ projectRef: ref, name: "SECOND", value: "ours" })).rejects.toThrow(
    "The Secret exists already",
  );
  expect(scenario.emulator.world.state.projects.get(ref)?.secrets.get("SECOND")?.value).toBe("theirs");
});

it("finds a function that somebody deployed since the run first looked", async () => {
  const functions = scenario.manage(edgeFunction);
  const files = { "index.ts": "Deno.serve(() => new Response());" };
  await functions.create({ projectRef: ref, slug: "first", files });
  scenario.emulator.control.call("deployFunction", {
    ref,
    slug: "second",
    body: {
      file: [{ name: "index.ts", content: Buffer.from("theirs") }],
      metadata: { entrypoint_path: "index.ts" },
    },
  });
  await expect(functions.create({ projectRef: ref, slug: "second", files })).rejects.toThrow(
    "The EdgeFunction exists already",
  );
});

it("asks once more for all that are created at the same time", async () => {
  const secrets = scenario.manage(secret);
  await secrets.create({ projectRef: ref, name: "FIRST", value: "one" });
  scenario.emulator.control.clearCalls();
  const names = Array.from({ length: 20 }, (_, index) => `SECRET_${index}`);
  await Promise.all(names.map((name) => secrets.create({ projectRef: ref, name, value: name })));
  expect(scenario.calls("listSecrets")).toBe(1);
});

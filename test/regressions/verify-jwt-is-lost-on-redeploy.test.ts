import { edgeFunction } from "../../provider/resources/functions/edge-function/edge-function";
import type { Values } from "../../provider/lifecycle/state";
import { startScenario, type Managed, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
let functions: Managed;
let ref: string;
beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  functions = scenario.manage(edgeFunction);
});
afterEach(() => scenario.close());

const declared = (text: string, more: Values = {}): Values => ({
  projectRef: ref,
  slug: "hello",
  files: { "index.ts": text },
  ...more,
});
const verifiesJwt = () => scenario.emulator.world.state.projects.get(ref)?.functions.get("hello")?.verifyJwt;

it.each([true, false])(
  "verifyJwt: %s is set with the first deploy and kept by the next one",
  async (verifyJwt) => {
    const made = await functions.create(declared("one", { verifyJwt }));
    expect(verifiesJwt()).toBe(verifyJwt);
    await functions.update(made, declared("two", { verifyJwt }));
    expect(verifiesJwt()).toBe(verifyJwt);
  },
);

it("verifyJwt stays as the service has it when it is not declared", async () => {
  const made = await functions.create(declared("one"));
  scenario.emulator.control.call("updateFunction", {
    ref,
    function_slug: "hello",
    body: { verify_jwt: false },
  });
  scenario.nextRun();
  await functions.update(made, declared("two"));
  expect(verifiesJwt()).toBe(false);
});

it("verifyJwt that was changed outside is drift", async () => {
  const made = await functions.create(declared("one", { verifyJwt: true }));
  scenario.emulator.control.call("updateFunction", {
    ref,
    function_slug: "hello",
    body: { verify_jwt: false },
  });
  scenario.nextRun();
  const read = await functions.read(made);
  expect([...functions.diff(read?.state ?? {}, declared("one", { verifyJwt: true })).changed]).toEqual([
    "verifyJwt",
  ]);
});

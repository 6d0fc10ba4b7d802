import { edgeFunction } from "../../provider/resources/functions/edge-function/edge-function";
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

const fifty = Array.from({ length: 50 }, (_, index) => index);
const inputs = (index: number, verifyJwt: boolean, text = "one") => ({
  projectRef: ref,
  slug: `function-${index}`,
  verifyJwt,
  files: { "index.ts": `${text} ${index}` },
});
const createAll = () => Promise.all(fifty.map((index) => functions.create(inputs(index, true))));

it("fifty functions are made with one look and one deploy each, within one minute", async () => {
  const began = scenario.clock.now();
  await createAll();
  expect(scenario.emulator.world.state.projects.get(ref)?.functions.size).toBe(50);
  expect(scenario.calls("listFunctions")).toBe(1);
  expect(scenario.calls("deployFunction")).toBe(50);
  expect(scenario.calls()).toBe(51);
  expect(scenario.clock.now() - began).toBeLessThan(60_000);
  expect(scenario.emulator.control.countCalls({ status: 429 })).toBe(0);
});

it("unchanged ones are not sent: of fifty, only the three that changed are deployed", async () => {
  const all = await createAll();
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  const wanted = fifty.map((index) => inputs(index, true, index < 3 ? "two" : "one"));
  const due = all.flatMap((made, index) => {
    const changed = wanted[index] ?? {};
    return functions.diff(made.state, changed).changes ? [functions.update(made, changed)] : [];
  });
  await Promise.all(due);
  expect(scenario.calls("deployFunction")).toBe(3);
  expect(scenario.calls()).toBe(4);
});

it("a change of all fifty that needs no upload leaves in one bulk call", async () => {
  const all = await createAll();
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  await Promise.all(all.map((made, index) => functions.update(made, inputs(index, false))));
  const onService = [...(scenario.emulator.world.state.projects.get(ref)?.functions.values() ?? [])];
  expect(onService.map(({ verifyJwt }) => verifyJwt)).toEqual(fifty.map(() => false));
  expect([scenario.calls("updateFunctions"), scenario.calls()]).toEqual([1, 2]);
});

it("a refresh of fifty is one call", async () => {
  const all = await createAll();
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  await Promise.all(all.map((made) => functions.read(made)));
  expect(scenario.calls()).toBe(1);
});

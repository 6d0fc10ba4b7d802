import { resourceByType } from "../../provider/catalog/catalog";
import { pickOutputs } from "../../provider/engine/step/state";
import { type OperationName, operations } from "../../spec/table";
import type { Operation } from "../../spec/operation";
import { startScenario, type Scenario } from "../kit/scenario";
import { samples } from "../kit/samples";

// service, Reading answers: the answer to a change may tell nothing of what was changed, which the request named.

// The keys of the table are its operation names, which `Object.entries` widens to string.
const changesOfNamed = (Object.entries(operations) as [OperationName, Operation][])
  .filter(([, { success }]) => success.isOfNamed === true)
  .map(([name]) => name);

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

function tellNothing(): void {
  for (const operation of changesOfNamed) {
    scenario.emulator.control.addFault({ operation, status: 200, after: true, body: {}, times: 1_000 });
  }
}

// No write of a custom hostname is of that kind.
const changing = samples.filter(({ type }) => type !== "CustomHostname");

it.each(changing.map((sample) => [sample.type, sample] as const))(
  "%s is changed by writes whose answers tell nothing, and keeps what it knew",
  async (type, sample) => {
    const ref = sample.needsProject ? scenario.healthyProject() : "";
    sample.prepare?.(scenario, ref);
    const resource = resourceByType(type);
    const managed = scenario.manage(resource);
    const made = await managed.create(sample.inputs(ref));
    const known = Object.keys(pickOutputs(resource, made.state));
    sample.afterCreate?.(scenario, ref);
    tellNothing();
    scenario.nextRun();
    const changed = await managed.update(made, sample.changed(ref));
    expect(Object.keys(changed.state)).toEqual(expect.arrayContaining(known));
    scenario.nextRun();
    const read = await managed.read(changed);
    expect(managed.diff(read?.state ?? {}, sample.changed(ref)).changes).toBe(false);
    const shown = await sample.onService(scenario, ref);
    expect(shown.filter((each) => !sample.isChanged(each))).toEqual([]);
  },
);

it("a branch that is listed by its reference alone is there, and is not taken for one of another name", async () => {
  const ref = scenario.healthyProject();
  const branches = scenario.manage(resourceByType("Branch"));
  const made = await branches.create({ projectRef: ref, name: "preview" });
  const sparse = { operation: "listBranches", status: 200, body: [{ project_ref: made.id }] } as const;
  scenario.nextRun();
  scenario.emulator.control.addFault(sparse);
  expect((await branches.read(made))?.state).toMatchObject({ ref: made.id, name: "preview" });
  scenario.nextRun();
  scenario.emulator.control.addFault(sparse);
  const second = branches.create({ projectRef: ref, name: "preview" });
  await expect(second).rejects.toThrow(`has no name of the branch ${made.id}`);
  expect(
    scenario.emulator.control.call("listBranches", { ref }).filter(({ is_default }) => !is_default),
  ).toHaveLength(1);
});

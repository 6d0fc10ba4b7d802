import type { Declared } from "../crash/model-engine";
import { queried, tableRows } from "../../tools/fixtures/database-look";
import { startScenario, type Scenario } from "../lifecycle/scenario";
import { Machine } from "./machine";

let scenario: Scenario;
let machine: Machine;

beforeEach(async () => {
  scenario = await startScenario();
  machine = new Machine(scenario);
});
afterEach(async () => {
  await machine.close();
});

it("undoes scripts of one name in each of their projects", async () => {
  const refs = [scenario.healthyProject("one"), scenario.healthyProject("other")];
  for (const ref of refs) await queried(scenario, ref, "create table log (body text)");
  const script = (projectRef: string, index: number): Declared => ({
    name: `script-${index}`,
    type: "SqlScript",
    inputs: () => ({
      ...{ projectRef, name: "log" },
      query: "insert into log values ('ran');",
      onDelete: "insert into log values ('undone');",
    }),
  });
  const program = refs.map(script);
  expect((await machine.up(program)).failures).toEqual([]);
  expect((await machine.up(program.slice(1))).failures).toEqual([]);
  expect((await machine.destroy()).failures).toEqual([]);
  const logs = await Promise.all(refs.map((ref) => tableRows(scenario, ref, "log")));
  expect(logs).toEqual(refs.map(() => [{ body: "ran" }, { body: "undone" }]));
  expect(machine.warnings).toEqual([]);
});

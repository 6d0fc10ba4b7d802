import { resourceByType } from "../../provider/catalog";
import { startScenario } from "../lifecycle/scenario";

it("a script that only read is not run again, for writing, when `readOnly` is taken out", async () => {
  const scenario = await startScenario();
  try {
    const projectRef = scenario.healthyProject();
    const scripts = scenario.manage(resourceByType("SqlScript"));
    const script = { projectRef, name: "count", query: "select 1 as one" };
    const made = await scripts.create({ ...script, readOnly: true });
    const updated = await scripts.update(made, script);
    scenario.nextRun();
    const read = await scripts.read(updated);
    expect(read?.state).toMatchObject({ result: [{ one: 1 }] });
    expect(scripts.diff(read?.state ?? {}, script).changes).toBe(false);
  } finally {
    await scenario.close();
  }
});

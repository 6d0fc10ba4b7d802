import type { Values } from "../../../provider/define/values";
import { branch } from "../../../provider/resources/branches/branch/branch";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let branches: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  branches = scenario.manage(branch);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({
  projectRef: ref,
  name: "preview",
  diskSizeGb: 100,
  ...more,
});
const present = () =>
  scenario.emulator.control.call("listBranches", { ref }).filter(({ is_default: isDefault }) => !isDefault);

it("creates a branch with a disk of the declared size, and waits for it as for any other", async () => {
  const inputs = declared({
    gitBranch: "feature/a",
    instanceSize: "small",
    notifyUrl: "https://hooks.example.com/",
  });
  const made = await branches.create(inputs);
  const [shown] = present();
  expect(shown).toMatchObject({ name: "preview", git_branch: "feature/a", project_ref: made.id });
  expect(made.state).toMatchObject({
    ref: made.id,
    branchId: shown?.id,
    previewProjectStatus: "ACTIVE_HEALTHY",
  });
  expect(made.state).toHaveProperty("password");
  expect(scenario.emulator.world.state.projects.get(made.id)?.disk.attributes.size_gb).toBe(100);
  expect(scenario.calls("createBranch")).toBe(0);
  scenario.nextRun();
  expect(branches.diff((await branches.read(made))?.state ?? {}, inputs).changes).toBe(false);
});

it("uses the first version of the API where no size is declared, and reads no disk", async () => {
  const { diskSizeGb: _, ...inputs } = declared({ secrets: { TOKEN: "one" } });
  const made = await branches.create(inputs);
  scenario.nextRun();
  await branches.read(made);
  expect(scenario.calls("createBranchWithDisk")).toBe(0);
  expect(scenario.calls("getDisk")).toBe(0);
});

it("finds the branch whose answer was lost, and makes no second one", async () => {
  scenario.emulator.control.addFault({ operation: "createBranchWithDisk", drop: "after" });
  const made = await branches.create(declared());
  expect(present().map(({ project_ref: of }) => of)).toEqual([made.id]);
  expect(scenario.calls("createBranchWithDisk")).toBe(1);
});

it("says plainly that an installation or a plan has no such operation, and makes nothing", async () => {
  scenario.emulator.control.set("newerOperationsOffered", false);
  await expect(branches.create(declared())).rejects.toThrow(/createBranchWithDisk.*404/s);
  scenario.emulator.control.set("newerOperationsOffered", true);
  const body = { error: { code: "payment_required", message: "This feature requires the Pro plan." } };
  scenario.emulator.control.addFault({ operation: "createBranchWithDisk", status: 402, body });
  scenario.nextRun();
  await expect(branches.create(declared())).rejects.toThrow("The organization's plan does not include this");
  expect(present()).toEqual([]);
});

it("refuses what the operation does not take", () => {
  const failures = branches.failures(
    declared({ secrets: { TOKEN: "one" }, postgresEngine: "17", releaseChannel: "ga" }),
  );
  expect(failures.map((each) => each.split(":")[0])).toEqual(["secrets", "postgresEngine", "releaseChannel"]);
  expect(failures[0]).toContain("`secrets` cannot be combined with `diskSizeGb`");
  expect(branches.failures(declared({ diskSizeGb: 7 }))[0]).toMatch(/^diskSizeGb: /);
});

it("is neither changed nor replaced for another size, and names the resource that changes a disk", async () => {
  const made = await branches.create(declared());
  expect(branches.failures(declared({ diskSizeGb: 200 }), made.state).join("")).toContain("declare a `Disk`");
  await expect(branches.update(made, declared({ diskSizeGb: 200 }))).rejects.toThrow(
    /neither in place nor by a replacement.*declare a `Disk` whose `projectRef` is the branch's `ref`/s,
  );
  expect(present()).toHaveLength(1);
});

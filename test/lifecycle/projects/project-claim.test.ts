import { projectClaim } from "../../../provider/actions/projects/project-claim";
import type { Values } from "../../../provider/define/values";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";
import { fixture as sample } from "../../../tools/fixtures/projects/project-claim";

let scenario: Scenario;
let claims: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  sample.prepare?.(scenario, ref);
  claims = scenario.manage(projectClaim);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({ ...sample.inputs(ref), ...more });
const owner = () => scenario.emulator.world.state.projects.get(ref)?.organizationSlug;

it("hands the project over, warns of the plan, and is not undone", async () => {
  const began = scenario.clock.now();
  const made = await claims.create(declared());
  expect(owner()).toBe("hobby");
  expect(made.state["ranAt"]).toBe(new Date(began).toISOString());
  expect(scenario.warnings.join("\n")).toContain("The plan changes from pro to free");

  scenario.nextRun();
  expect(claims.diff(made.state, declared({ organizationSlug: "other" })).replaces).toEqual([
    "organizationSlug",
  ]);
  await claims.delete(made);
  expect(owner()).toBe("hobby");
});

it.each(["before", "after"] as const)("claims once when the answer is lost %s it", async (drop) => {
  scenario.emulator.control.addFault({ operation: "claimProject", drop });
  await claims.create(declared());
  expect(owner()).toBe("hobby");
});

it("claims no other project than the one it names", async () => {
  const other = scenario.healthyProject();
  await expect(claims.create(declared({ projectRef: other }))).rejects.toThrow(
    `The claim token is for the project ${ref}, not for ${other}. Nothing was claimed`,
  );
  expect(scenario.calls("claimProject")).toBe(0);
});

it("stops at what the preview has against it", async () => {
  scenario.emulator.control.set("activeProjectQuotas.free", 0);
  await expect(claims.create(declared())).rejects.toThrow(
    `The organization hobby cannot claim the project ${ref}: The organization hobby has no room for another project`,
  );
  expect(scenario.calls("claimProject")).toBe(0);
  expect(owner()).toBe("acme");
});

it("says that a token is not valid", async () => {
  await expect(claims.create(declared({ token: "claim_of_nobody" }))).rejects.toThrow(
    `The claim token of the project ${ref} is not valid for the organization hobby`,
  );
});

it.each([{ preview: null }, { preview: undefined }, { preview: {} }, { preview: { valid: null } }])(
  "claims nothing where the service does not say that the claim is valid: %j",
  async (unsaid) => {
    const answer = { project: { ref, name: "shop" }, ...unsaid };
    scenario.emulator.control.addFault({ operation: "getProjectClaim", status: 200, body: answer });
    await expect(claims.create(declared())).rejects.toThrow("preview does not say that it is valid");
    expect(scenario.calls("claimProject")).toBe(0);
    expect(owner()).toBe("acme");
  },
);

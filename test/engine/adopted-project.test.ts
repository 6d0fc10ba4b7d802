import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { LANGUAGES } from "./example";
import { declare, startYamlStack, type Declared, type YamlStack } from "./plugin-stack";
import { expectSuccess, outputOf, PRELUDE, startStack, type Stack } from "./stack";
import type { Emulator } from "../../emulator";

// A production that somebody made by hand, with a password that no program had.

const SHOP = { name: "shop", organizationSlug: "acme", region: "eu-central-1" };
const PASSWORD = "password-that-others-chose";
const DECLARED = "password-of-the-program";

function makeByHand({ control }: Emulator): string {
  const { ref } = control.call("createProject", {
    body: {
      name: SHOP.name,
      organization_slug: SHOP.organizationSlug,
      db_pass: PASSWORD,
      region_selection: { type: "specific", code: "eu-central-1" },
    },
  });
  control.edit(({ projects }) => {
    for (const project of projects.values()) project.activity = { ...project.activity, kind: "rest" };
  });
  return ref;
}

const passwordOf = ({ world }: Emulator, ref: string): string | undefined =>
  world.state.projects.get(ref)?.dbPass;
const refs = ({ control }: Emulator): string[] =>
  control.call("listProjects", {}).flatMap(({ ref, status }) => (status === "REMOVED" ? [] : [ref]));

const program = `${PRELUDE}
const { PROTECTION, REGION, DB_PASS } = process.env;
const project = new management.Project("app", {
  name: "shop", organizationSlug: "acme", region: REGION ?? "eu-central-1", adopt: true, dbPass: DB_PASS ?? ${JSON.stringify(DECLARED)},
  ...(PROTECTION === undefined ? {} : { deletionProtection: PROTECTION === "on" }),
});
exports.connectionString = project.connectionString;
`;

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);

describe("a project that is adopted", () => {
  let stack: Stack;
  let ref: string;
  beforeAll(async () => {
    stack = await startStack(program);
    ref = makeByHand(stack.emulator);
  });
  afterAll(() => stack.dispose());

  it("keeps its password, and the plan says so", async () => {
    const { workspace, emulator } = stack;
    const preview = await workspace.preview();
    expectSuccess(preview);
    expect(outputOf(preview)).toContain("`dbPass`: recorded, not sent");
    expectSuccess(await workspace.up());
    expect(passwordOf(emulator, ref)).toBe(PASSWORD);
    expect(emulator.control.countCalls({ operation: "updateDatabasePassword" })).toBe(0);
    expect(await workspace.outputs({ showSecrets: true })).toMatchObject({
      connectionString: expect.stringContaining(`:${DECLARED}@`) as string,
    });
    const again = await workspace.up();
    expectSuccess(again);
    expect(again.summary).toMatchObject({ same: 2, update: 0 });
    expect(passwordOf(emulator, ref)).toBe(PASSWORD);
  });

  it("is neither replaced by an edit of its region nor destroyed", async () => {
    const { workspace, emulator } = stack;
    const env = { REGION: "us-east-1" };
    for (const refused of [await workspace.preview({ env }), await workspace.up({ env })]) {
      expect(refused.exitCode).not.toBe(0);
      expect(outputOf(refused)).toContain("A change of region replaces the Project");
      expect(outputOf(refused)).toContain("declare `deletionProtection: false` without the change");
    }
    const destroyed = await workspace.destroy();
    expect(destroyed.exitCode).not.toBe(0);
    expect(outputOf(destroyed)).toContain(
      "declare `deletionProtection: false`, run `pulumi up`, then destroy",
    );
    expect(emulator.control.countCalls({ operation: "deleteProject" })).toBe(0);
    expect(refs(emulator)).toEqual([ref]);
  });

  it("takes a later password, and goes by the lines that the refusal names", async () => {
    const { workspace, emulator } = stack;
    const env = { DB_PASS: "later-password-of-the-program" };
    expectSuccess(await workspace.up({ env }));
    expect(passwordOf(emulator, ref)).toBe("later-password-of-the-program");
    expectSuccess(await workspace.up({ env: { ...env, PROTECTION: "off" } }));
    expectSuccess(await workspace.destroy());
    expect(refs(emulator)).toEqual([]);
  });
});

describe("a project that is imported", () => {
  let stack: YamlStack;
  let ref: string;
  beforeAll(async () => {
    stack = await startYamlStack({ resources: {} });
    ref = makeByHand(stack.emulator);
  });
  afterAll(() => stack.dispose());

  const withShop = (more: Declared["properties"]): void =>
    stack.rewrite({ resources: { shop: declare("Project", { ...SHOP, ...more }) } });

  it("needs no password, and keeps its own when one is declared", async () => {
    const { workspace, emulator, projectDir } = stack;
    const imported = await workspace.import(
      "management:index:Project",
      "shop",
      ref,
      `${projectDir}/lines.yaml`,
    );
    const told = imported.stdout + imported.stderr;
    expect({ told, code: imported.exitCode }).toMatchObject({ code: 0 });
    expect(told).toContain("recorded, not sent");
    expect(told).toContain("only the resource option `protect: true` protects them too");
    withShop({});
    const unchanged = await workspace.preview();
    expect({ text: outputOf(unchanged), ...unchanged.summary }).toMatchObject({ update: 0, replace: 0 });
    withShop({ dbPass: DECLARED });
    const preview = await workspace.preview({ extraArgs: ["--diff"] });
    expectSuccess(preview);
    expect(outputOf(preview)).toContain("`dbPass`: recorded, not sent");
    expect(preview.summary).toMatchObject({ update: 1 });
    expectSuccess(await workspace.up());
    expect(passwordOf(emulator, ref)).toBe(PASSWORD);
    expect(emulator.control.countCalls({ operation: "updateDatabasePassword" })).toBe(0);
    const again = await workspace.preview();
    expect(again.summary).toMatchObject({ update: 0 });
  });

  it("is neither replaced by an edit of its region nor destroyed", async () => {
    const { workspace, emulator } = stack;
    withShop({ dbPass: DECLARED, region: "us-east-1" });
    const refused = await workspace.up();
    expect(refused.exitCode).not.toBe(0);
    expect(outputOf(refused)).toContain("A change of region replaces the Project");
    withShop({ dbPass: DECLARED });
    expectSuccess(await workspace.up());
    const destroyed = await workspace.destroy();
    expect(destroyed.exitCode).not.toBe(0);
    expect(outputOf(destroyed)).toContain("was not deleted: its `deletionProtection` is on");
    withShop({ dbPass: DECLARED, deletionProtection: false });
    expectSuccess(await workspace.up());
    expectSuccess(await workspace.destroy());
    expect(refs(emulator)).toEqual([]);
  });
});

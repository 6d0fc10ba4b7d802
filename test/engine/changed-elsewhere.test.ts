import type { Emulator } from "../../emulator";
import type { OperationResult } from "../../tools/engine/workspace";
import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { declare, startYamlStack, type YamlStack } from "./plugin-stack";
import { expectSuccess, outputOf, PRELUDE, startStack, type Stack } from "./stack";

// What cannot be changed in place was changed at the service, or in the program (decision 0132).

const program = `${PRELUDE}
const { ORGANIZATION = "acme", REGION = "eu-central-1", UNSET } = process.env;
const project = new management.Project("app", {
  name: "shop", organizationSlug: ORGANIZATION, dbPass: "db-password-of-the-test", region: REGION,
});
const staging = new management.Branch("staging", {
  projectRef: project.ref, name: "staging", persistent: true, postgresEngine: "15",
});
const value = process.env.WITHOUT_VALUE ? UNSET : "a";
new management.SecretSet("secrets", { projectRef: project.ref, secrets: project.name.apply(() => ({ A: value, B: "b" })) });
`;

const objects = ({ control }: Emulator): unknown[] =>
  control.call("listProjects", {}).map(({ ref }) => ({
    ref,
    branches: control.call("listBranches", { ref }).map(({ project_ref }) => project_ref),
    secrets: control.call("listSecrets", { ref }).map(({ name }) => name),
  }));

/** The codes of docs/drift.md. */
function expectRefused(result: OperationResult, ...texts: readonly string[]): void {
  const said = outputOf(result);
  expect({ exitCode: result.exitCode, said }).toMatchObject({ exitCode: 1 });
  for (const text of texts) expect(said.replaceAll(/\s+/g, " ")).toContain(text);
}

const organizationsIn = ({ control }: Emulator): unknown[] =>
  control.call("listProjects", {}).map(({ organization_slug }) => organization_slug);

function moveProject({ control }: Emulator, organizationSlug: string): void {
  control.edit(({ projects }) => {
    for (const project of projects.values()) project.organizationSlug = organizationSlug;
  });
}

const refreshing = { extraArgs: ["--refresh"] };

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);

describe("through the dynamic classes", () => {
  let stack: Stack;
  let before: unknown[];
  beforeAll(async () => {
    stack = await startStack(program);
    expectSuccess(await stack.workspace.up());
    before = objects(stack.emulator);
  });
  afterAll(() => stack.dispose());
  afterEach(() => expect(objects(stack.emulator)).toEqual(before));

  it("an edit of the region is refused, with both values", async () => {
    const env = { REGION: "us-east-1" };
    const texts = [
      'The program declares "us-east-1", the state has "eu-central-1"',
      "`pulumi refresh` first",
    ];
    expectRefused(await stack.workspace.preview({ env }), ...texts);
    expectRefused(await stack.workspace.up({ env }), ...texts);
  });

  it("a secret without a value is refused by its key, also where the map is known later", async () => {
    expectRefused(
      await stack.workspace.up({ env: { WITHOUT_VALUE: "1" } }),
      "SecretSet secrets: `secrets.A` is undefined",
    );
  });

  it("a persistent branch whose engine was raised is refused in a preview that refreshes", async () => {
    const { workspace, emulator } = stack;
    const setEngine = (engine: string): void =>
      emulator.control.edit(({ projects, branches }) => {
        const refs = [...branches.values()].flatMap((each) => (each.isDefault ? [] : [each.projectRef]));
        for (const ref of refs) {
          const project = projects.get(ref);
          if (project) project.database = { ...project.database, engine };
        }
      });
    setEngine("17");
    expectRefused(await workspace.preview(refreshing), 'The program declares "15", the state has "17"');
    setEngine("15");
  });

  it("a project that was moved is shown by every refresh, moved back by no up, and taken over as it is", async () => {
    const { workspace, emulator } = stack;
    moveProject(emulator, "hobby");
    const nightly = await workspace.run([
      ...["refresh", "--preview-only", "--expect-no-changes", "--stack", "test"],
    ]);
    expect(nightly.exitCode).toBe(7);
    const texts = [
      "from the organization hobby to acme needs consent. Nothing was changed",
      'declare `organizationSlug: "hobby"`',
    ];
    expectSuccess(await workspace.preview(refreshing));
    expectRefused(await workspace.up(refreshing), ...texts);
    expectSuccess(await workspace.refresh());
    expectRefused(await workspace.up(), ...texts);
    const env = { ORGANIZATION: "hobby" };
    const taken = await workspace.up({ env });
    expectSuccess(taken);
    expect(taken.summary).toMatchObject({ create: 0, update: 0, replace: 0, delete: 0 });
  });
});

describe("through the plugin", () => {
  let stack: YamlStack;
  const shop = { name: "shop", organizationSlug: "acme", region: "eu-central-1", dbPass: "a long password" };
  beforeAll(async () => {
    stack = await startYamlStack({ resources: { app: declare("Project", shop) } });
    expectSuccess(await stack.workspace.up());
  });
  afterAll(() => stack.dispose());

  it("a project moves by an edit with the consent that is asked for, and not back by any other run", async () => {
    const { workspace, emulator } = stack;
    const before = objects(emulator);
    const programWith = (more: Record<string, unknown>): void =>
      stack.rewrite({ resources: { app: declare("Project", { ...shop, ...more }) } });
    const transfers = (): number => emulator.control.countCalls({ operation: "transferProject" });
    const to = { organizationSlug: "hobby" };
    programWith(to);
    const planned = await workspace.preview();
    expectSuccess(planned);
    expect(outputOf(planned).replaceAll(/\s+/g, " ")).toContain(
      "asks for the service's preview of the transfer",
    );
    const refused = await workspace.up();
    expectRefused(
      refused,
      "from the organization acme to hobby needs consent",
      "The plan changes from pro to free",
    );
    const [, confirm] = /with the fingerprint (\w{16})/.exec(outputOf(refused)) ?? [];
    expect(transfers()).toBe(0);

    programWith({ ...to, confirm });
    const moved = await workspace.up();
    expectSuccess(moved);
    expect(moved.summary).toMatchObject({ update: 1 });
    expect([transfers(), organizationsIn(emulator)]).toEqual([1, ["hobby"]]);
    const unchanged = ["refresh", "--preview-only", "--expect-no-changes", "--stack", "test"];
    expect((await workspace.run(unchanged)).exitCode).toBe(0);
    const second = await workspace.up();
    expect(second.summary).toMatchObject({ update: 0, replace: 0, delete: 0 });

    // Somebody moves it back, and the consent to the first transfer is still in the program.
    moveProject(emulator, "acme");
    expectRefused(await workspace.up(refreshing), "because `confirm` is a consent that no longer counts");
    expect([transfers(), organizationsIn(emulator)]).toEqual([1, ["acme"]]);
    moveProject(emulator, "hobby");
    expectSuccess(await workspace.refresh());
    expect(objects(emulator)).toEqual(before);
  });

  it("a project in an organization that the token does not see stays in the state, whatever is run", async () => {
    const { workspace, emulator } = stack;
    const limit = (slug: string | null): void =>
      emulator.control.edit(({ accessTokens }) => {
        for (const token of accessTokens.values()) token.organizationSlug = slug;
      });
    limit("acme");
    for (const result of [
      await workspace.refresh(),
      await workspace.up(refreshing),
      await workspace.destroy(),
    ])
      expectRefused(result, "This does not prove that it was deleted");
    limit(null);
    expect(organizationsIn(emulator)).toEqual(["hobby"]);
    const seen = await workspace.up(refreshing);
    expectSuccess(seen);
    expect(seen.summary).toMatchObject({ create: 0, update: 0, replace: 0, delete: 0 });
  });

  it("a project that was moved is the one that a destroy with a refresh removes, and the only one", async () => {
    const { workspace, emulator } = stack;
    const other = emulator.control.call("createProject", {
      body: { name: "other", organization_slug: "acme", db_pass: "a long password" },
    }).ref;
    moveProject(emulator, "acme");
    const destroyed = await workspace.destroy(refreshing);
    expectSuccess(destroyed);
    expect(destroyed.summary).toMatchObject({ delete: 2 });
    const left = emulator.control.call("listProjects", {}).filter(({ status }) => status !== "REMOVED");
    expect(left.map(({ ref }) => ref)).toEqual([other]);
    expect((await workspace.exportStack()).deployment.resources ?? []).toEqual([]);
  });
});

import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { declare, startYamlStack, type YamlStack } from "./plugin-stack";
import { expectSuccess, HELD, outputOf, PACE, settleProjects } from "./stack";
import { waitUntil } from "../kit/wait-until";

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);

const PROJECT = declare("Project", {
  name: "shop",
  organizationSlug: "acme",
  dbPass: "db-password-of-the-test",
  region: "eu-central-1",
});

describe("^C while a create settles", () => {
  let stack: YamlStack;
  beforeAll(async () => {
    stack = await startYamlStack(
      {
        resources: {
          app: PROJECT,
          preview: declare("Branch", { projectRef: "${app.ref}", name: "preview" }),
        },
        outputs: { ref: "${app.ref}" },
      },
      // What is made is still settling when the interrupt comes.
      { pace: HELD },
    );
  }, PROVISIONING_TIMEOUT_MS);
  afterAll(() => stack.dispose());

  const projects = (): string[] =>
    stack.emulator.control.call("listProjects", {}).map((project) => project.ref);
  const branches = (): string[] =>
    projects().flatMap((ref) =>
      stack.emulator.control
        .call("listBranches", { ref })
        .filter(({ is_default }) => !is_default)
        .map(({ project_ref }) => project_ref),
    );

  it.each([
    ["project", projects],
    ["branch", branches],
  ] as const)("keeps the %s that is waited for in state", async (_what, made) => {
    const { workspace } = stack;
    const interrupt = new AbortController();
    const running = workspace.up({ signal: interrupt.signal });
    await waitUntil("it is made", () => made().length > 0);
    interrupt.abort();
    const interrupted = await running;
    expect(interrupted.exitCode).not.toBe(0);
    expect(outputOf(interrupted)).toContain("cancelled");
    const { deployment } = await workspace.exportStack();
    expect(deployment.pending_operations ?? []).toEqual([]);
    const half = deployment.resources?.filter(({ initErrors = [] }) => initErrors.length > 0);
    expect(half?.map(({ id }) => id)).toEqual(made());
    settleProjects(stack.emulator);
  });

  it("is resumed by the next up: one project, one branch, and nothing left to do", async () => {
    const { workspace, emulator } = stack;
    emulator.control.setPace(PACE);
    expectSuccess(await workspace.up());
    expect(projects()).toHaveLength(1);
    expect(branches()).toHaveLength(1);
    expect(await workspace.outputs()).toEqual({ ref: projects()[0] });
    const again = await workspace.up();
    expect(again.summary).toMatchObject({ create: 0, update: 0, replace: 0, same: 3 });
    expectSuccess(await workspace.destroy());
    expect(projects()).toEqual([]);
  });
});

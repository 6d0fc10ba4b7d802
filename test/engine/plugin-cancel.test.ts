import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { declare, startYamlStack, type YamlStack } from "./plugin-stack";
import { expectSuccess, outputOf } from "./stack";

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
    stack = await startYamlStack({
      resources: {
        app: PROJECT,
        preview: declare("Branch", { projectRef: "${app.ref}", branchName: "preview" }),
      },
      outputs: { ref: "${app.ref}" },
    });
  }, PROVISIONING_TIMEOUT_MS);
  afterAll(() => stack.dispose());

  it.each(["getHealth", "listBranches"] as const)(
    "keeps the resource whose %s is waited for; the next up resumes it and makes nothing twice",
    async (operation) => {
      const { workspace, emulator } = stack;
      emulator.control.addFault({ operation, status: 503, times: 100_000 });
      emulator.control.clearCalls();
      const interrupt = new AbortController();
      const running = workspace.up({ signal: interrupt.signal });
      while (emulator.control.countCalls({ operation }) === 0) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      interrupt.abort();
      const interrupted = await running;
      expect(interrupted.exitCode).not.toBe(0);
      expect(outputOf(interrupted)).toContain("cancelled");
      const { deployment } = await workspace.exportStack();
      expect(deployment.pending_operations ?? []).toEqual([]);
      const half = deployment.resources?.filter(({ initErrors = [] }) => initErrors.length > 0);
      expect(half?.map(({ id }) => id)).toEqual([expect.stringMatching(/^[a-z]{20}$/)]);
      emulator.control.clearFaults();
    },
    120_000,
  );

  it("ends with one project and one branch, and nothing left to do", async () => {
    const { workspace, emulator } = stack;
    expectSuccess(await workspace.up());
    const [project, ...others] = emulator.control.call("listProjects", {});
    expect(others).toEqual([]);
    expect(await workspace.outputs()).toEqual({ ref: project?.ref });
    const branches = emulator.control.call("listBranches", { ref: project?.ref ?? "" });
    expect(branches.filter(({ is_default }) => !is_default)).toHaveLength(1);
    const again = await workspace.up();
    expect(again.summary).toMatchObject({ create: 0, update: 0, replace: 0, same: 3 });
    expectSuccess(await workspace.destroy());
    expect(emulator.control.call("listProjects", {})).toEqual([]);
  }, 120_000);
});

import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { everythingShown, expectSuccess, outputOf, PROJECT, startStack, type Stack } from "./stack";

beforeAll(() => engineForTests(), PROVISIONING_TIMEOUT_MS);

describe("a stack that is configured by `pulumi config` alone", () => {
  let stack: Stack;
  const env = { MANAGEMENT_BASE_URL: undefined, MANAGEMENT_ACCESS_TOKEN: undefined };
  beforeEach(async () => {
    stack = await startStack(PROJECT);
    await stack.workspace.config("management:baseUrl", stack.emulator.url);
    await stack.workspace.config("management:accessToken", stack.emulator.accessToken, { secret: true });
  });
  afterEach(() => stack.dispose());

  it("lives its whole life with it, and the token is nowhere in clear", async () => {
    const { workspace, emulator } = stack;
    const results = [await workspace.up({ env }), await workspace.refresh({ env })];
    for (const result of results) expectSuccess(result);
    expect(everythingShown(stack, ...results)).not.toContain(emulator.accessToken);
    expectSuccess(await workspace.destroy({ env }));
    expect(emulator.control.call("listProjects", {})).toEqual([]);
  });

  it("keeps what is in state when the token has become invalid", async () => {
    const { workspace, emulator } = stack;
    expectSuccess(await workspace.up({ env }));
    emulator.control.revokeToken(emulator.accessToken);
    const refresh = await workspace.refresh({ env });
    expect(refresh.exitCode).not.toBe(0);
    expect(outputOf(refresh)).toContain("MANAGEMENT_ACCESS_TOKEN");
    const { deployment } = await workspace.exportStack();
    expect(deployment.resources?.some(({ type }) => type.endsWith(":Project"))).toBe(true);

    // The environment is always the current one, whatever state remembers of the configuration.
    const rotated = { ...env, MANAGEMENT_ACCESS_TOKEN: emulator.control.createToken() };
    expectSuccess(await workspace.refresh({ env: rotated }));
    expectSuccess(await workspace.destroy({ env: rotated }));
    expect(emulator.control.call("listProjects", {})).toEqual([]);
  });
});

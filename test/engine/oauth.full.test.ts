import { PROVISIONING_TIMEOUT_MS } from "./harness";
import { everythingShown, expectSuccess, PROJECT, startStack, type Stack } from "./stack";

describe("an OAuth application in place of a token", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack(`${PROJECT}\nexports.ref = project.ref;`);
  }, PROVISIONING_TIMEOUT_MS);
  afterAll(() => stack.dispose());

  interface Authorization {
    readonly clientId: string;
    readonly env: Record<string, string | undefined>;
    readonly secrets: readonly string[];
  }

  /** As a user who approves the application in a browser; each approval gives a refresh token that works once. */
  function authorize(): Authorization {
    const { clientId, clientSecret, refreshToken } = stack.emulator.control.createOAuthApp({
      scopes: ["organizations:read", "projects:read", "projects:write", "database:read", "database:write"],
    });
    const env = {
      MANAGEMENT_ACCESS_TOKEN: undefined,
      MANAGEMENT_CLIENT_ID: clientId,
      MANAGEMENT_CLIENT_SECRET: clientSecret,
      MANAGEMENT_REFRESH_TOKEN: refreshToken,
    };
    return { clientId, env, secrets: [clientSecret, refreshToken] };
  }

  it("makes and removes a project, and nothing of it is shown", async () => {
    const { workspace, emulator } = stack;
    const { clientId, env, secrets } = authorize();
    const up = await workspace.up({ env });
    expectSuccess(up);
    const [project] = emulator.control.call("listProjects", {});
    expect(await workspace.outputs()).toEqual({ ref: project?.ref });
    const created = emulator.control.calls({ operation: "createProject" });
    expect(created.map(({ identity }) => identity)).toEqual([`app:${clientId}`]);
    expect(emulator.control.countCalls({ operation: "exchangeToken" })).toBe(1);

    // Each refresh token works once: the next commands go on with the one that was issued last.
    const refresh = await workspace.refresh({ env });
    expectSuccess(refresh);
    const destroy = await workspace.destroy({ env });
    expectSuccess(destroy);
    expect(emulator.control.call("listProjects", {})).toEqual([]);

    const everything = everythingShown(stack, up, refresh, destroy);
    for (const secret of secrets) expect(everything).not.toContain(secret);
    // What was issued on the way is recognised by its form.
    expect(everything).not.toMatch(/\boa[rst]_[0-9a-f]{8}/);
  });
});

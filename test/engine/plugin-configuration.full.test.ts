import { startEmulator, type Emulator } from "../../emulator";
import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { declare, startYamlStack, type Declared, type YamlStack } from "./plugin-stack";
import { expectSuccess, outputOf, PACE } from "./stack";

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);

/** With nothing in the environment a provider has what the program or the stack's configuration gives it. */
const BARE = { MANAGEMENT_BASE_URL: undefined, MANAGEMENT_ACCESS_TOKEN: undefined };

const provider = (properties: Declared["properties"]): Declared => ({
  type: "pulumi:providers:management",
  properties,
});

const project = (name: string, by?: string): Declared =>
  declare(
    "Project",
    { name, organizationSlug: "acme", dbPass: "db-password-of-the-test", region: "eu-central-1" },
    by === undefined ? undefined : { provider: `\${${by}}` },
  );

const settingsOf = ({ url, accessToken }: Emulator): Declared["properties"] => ({
  baseUrl: url,
  accessToken: { "fn::secret": accessToken },
});

const projectsOn = ({ control }: Emulator): string[] =>
  control.call("listProjects", {}).map(({ name }) => name);

describe("a provider of the program's own", () => {
  let stack: YamlStack;
  let other: Emulator;
  beforeAll(async () => {
    stack = await startYamlStack({ resources: {} }, { env: BARE });
    other = await startEmulator({ pace: PACE });
  }, PROVISIONING_TIMEOUT_MS);
  afterAll(async () => {
    await stack.dispose();
    await other.close();
  });

  it("takes its settings from the program, and another one beside it reaches another service", async () => {
    const { workspace, emulator } = stack;
    stack.rewrite({
      resources: {
        one: provider(settingsOf(emulator)),
        two: provider(settingsOf(other)),
        here: project("shop", "one"),
        there: project("store", "two"),
      },
    });
    expectSuccess(await workspace.up());
    expect(projectsOn(emulator)).toEqual(["shop"]);
    expect(projectsOn(other)).toEqual(["store"]);
    expect(emulator.control.countCalls({ operation: "createProject" })).toBe(1);
    expectSuccess(await workspace.refresh());
  });

  it("is updated by a rotated token, and none of its resources is touched", async () => {
    const { workspace, emulator } = stack;
    const rotated = emulator.control.createToken();
    stack.rewrite({
      resources: {
        one: provider({ ...settingsOf(emulator), accessToken: { "fn::secret": rotated } }),
        two: provider(settingsOf(other)),
        here: project("shop", "one"),
        there: project("store", "two"),
      },
    });
    const preview = await workspace.preview({ extraArgs: ["--diff"] });
    expectSuccess(preview);
    expect(preview.summary).toMatchObject({ create: 0, update: 1, replace: 0, delete: 0, same: 4 });
    expect(preview.stdout).toMatch(/~ accessToken\s*: \[secret\] => \[secret\]/);
    emulator.control.revokeToken(emulator.accessToken);
    const up = await workspace.up();
    expectSuccess(up);

    expect(up.summary).toMatchObject({ create: 0, update: 1, replace: 0, delete: 0, same: 4 });
    // The new token is in force, in state too: a refresh runs without the program.
    expectSuccess(await workspace.refresh());
    expectSuccess(await workspace.destroy());
    expect([...projectsOn(emulator), ...projectsOn(other)]).toEqual([]);
  });

  it("previews with a base URL that only a resource will tell", async () => {
    const { workspace, emulator } = stack;
    const { url, accessToken } = other;
    // The version of a new function, 1, is what the address is chosen by.
    const chosen = { "fn::select": ["${hello.version}", ["none", url]] };
    const resources = {
      one: provider({ baseUrl: emulator.url, accessToken: { "fn::secret": emulator.control.createToken() } }),
      here: project("shop", "one"),
      hello: declare(
        "EdgeFunction",
        {
          projectRef: "${here.ref}",
          slug: "hello",
          files: { "index.ts": "Deno.serve(() => new Response());" },
        },
        { provider: "${one}" },
      ),
      two: provider({ baseUrl: chosen, accessToken: { "fn::secret": accessToken } }),
      there: project("store", "two"),
      backend: declare("ApiKey", { projectRef: "${there.ref}", type: "secret" }, { provider: "${two}" }),
    };
    stack.rewrite({ resources });
    other.control.clearCalls();
    const preview = await workspace.preview();
    expectSuccess(preview);
    expect(preview.summary.create).toBe(7);
    expect(other.control.countCalls()).toBe(0);
    const up = await workspace.up();
    expectSuccess(up);
    expect(projectsOn(other)).toEqual(["store"]);
    const again = await workspace.preview();
    expect({ output: outputOf(again), ...again.summary }).toMatchObject({ update: 0, replace: 0, same: 7 });
    expectSuccess(await workspace.destroy());
    expect(projectsOn(other)).toEqual([]);
  });
});

describe("a fault of the configuration", () => {
  let stack: YamlStack;
  beforeAll(async () => {
    stack = await startYamlStack({ resources: { app: project("shop") } }, { env: BARE });
  }, PROVISIONING_TIMEOUT_MS);
  afterAll(() => stack.dispose());

  const errorsOfPreview = async (): Promise<string> => {
    const preview = await stack.workspace.preview();
    expect(preview.exitCode).not.toBe(0);
    expect(stack.emulator.control.countCalls()).toBe(0);
    expect(outputOf(preview)).not.toMatch(/^\s+at .*\(/m);
    const errors = preview.events.flatMap(({ diagnosticEvent }) =>
      diagnosticEvent?.severity === "error" ? [diagnosticEvent.message] : [],
    );
    return errors.length > 0 ? errors.join("\n") : outputOf(preview);
  };

  it("is told in the preview with what to do: no address, no token, a misspelt setting", async () => {
    const { workspace, emulator } = stack;
    expect(await errorsOfPreview()).toMatch(
      /MANAGEMENT_BASE_URL[^]*pulumi config set management:baseUrl <url>/,
    );

    await workspace.config("management:baseUrl", emulator.url);
    expect(await errorsOfPreview()).toMatch(
      /MANAGEMENT_ACCESS_TOKEN[^]*pulumi config set --secret management:accessToken <token>/,
    );

    await workspace.config("management:acessToken", "pat_of_the_test", { secret: true });
    const misspelt = await errorsOfPreview();
    expect(misspelt).toMatch(/acessToken[^]*did you mean `accessToken`/);
    expect(misspelt).not.toContain("pat_of_the_test");
  });

  it("in a provider of the program's own is told so too", async () => {
    stack.rewrite({
      resources: { own: provider({ baseUrll: stack.emulator.url }), app: project("shop", "own") },
    });
    expect(await errorsOfPreview()).toMatch(/baseUrll/);
    stack.rewrite({
      resources: { own: provider({ baseUrl: "http://api.example.com" }), app: project("shop", "own") },
    });
    expect(await errorsOfPreview()).toMatch(/baseUrl[^]*https/);
  });
});

describe("a provider of the program's own, where the environment has settings for the default one", () => {
  it("reaches the account that it is given, and nothing is made in the other", async () => {
    const other = await startEmulator({ pace: PACE });
    const stack = await startYamlStack({
      resources: { own: provider(settingsOf(other)), app: project("shop", "own") },
    });
    try {
      expectSuccess(await stack.workspace.up());
      expect([stack.emulator, other].map(projectsOn)).toEqual([[], ["shop"]]);
    } finally {
      await stack.dispose();
      await other.close();
    }
  });
});

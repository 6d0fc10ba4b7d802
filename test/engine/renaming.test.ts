import type { OperationResult } from "../../tools/engine/workspace";
import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { declare, startYamlStack, type Declared, type YamlProgram, type YamlStack } from "./plugin-stack";
import { expectSuccess, outputOf, PROJECT, startStack, type Stack } from "./stack";

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);

/** The secrets, keys and settings of the one project, as the service has them. */
function belongings({ emulator }: Stack): unknown {
  const [{ ref } = { ref: "" }] = emulator.control.call("listProjects", {});
  return {
    ref,
    secrets: emulator.control.call("listSecrets", { ref }).map(({ name, value }) => ({ name, value })),
    signIns: emulator.control.call("listThirdPartyAuth", { ref }).map(({ id }) => id),
    keys: emulator.control.call("listApiKeys", { ref }).map(({ id, name, type }) => ({ id, name, type })),
    config: emulator.control.call("getPostgresConfig", { ref }),
  };
}

function expectNoSteps({ summary }: OperationResult): void {
  const { create, update, replace, delete: removed } = summary;
  expect({ create, update, replace, removed }).toEqual({ create: 0, update: 0, replace: 0, removed: 0 });
}

describe("resources renamed in a program", () => {
  const program = `${PROJECT}
const suffix = process.env.SUFFIX ?? "";
const aliasesOf = (type) => JSON.parse(process.env.ALIASES ?? "[]").filter((urn) => urn.includes(":" + type + "::"));
class Backend extends pulumi.ComponentResource {
  constructor() { super("shop:index:Backend", "backend", {}); }
}
const parent = process.env.BELOW === undefined ? undefined : new Backend();
new management.ThirdPartyAuth("sign-in" + suffix, { projectRef, oidcIssuerUrl: "https://issuer.example.com" }, { parent, aliases: aliasesOf("ThirdPartyAuth") });
new management.ApiKey("key" + suffix, { projectRef, type: "secret", name: "backend" }, { parent, aliases: aliasesOf("ApiKey") });
`;
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack(program);
    expectSuccess(await stack.workspace.up());
    expectNoSteps(await stack.workspace.up());
  });
  afterAll(() => stack.dispose());

  it.each([
    ["get another name", { SUFFIX: "-renamed" }],
    ["move below a component", { SUFFIX: "-renamed", BELOW: "1" }],
  ])("are refused with the aliases that keep them when they %s", async (_edit, env) => {
    const before = belongings(stack);
    const refused = await stack.workspace.up({ env, extraArgs: ["--continue-on-error"] });
    expect(refused.exitCode).not.toBe(0);
    expect(belongings(stack)).toEqual(before);

    const named = [...outputOf(refused).matchAll(/`aliases: \["(urn:[^"]+)"\]`/g)].map(([, urn]) => urn);
    expect(new Set(named).size).toBe(2);
    const aliased = { ...env, ALIASES: JSON.stringify([...new Set(named)]) };
    const kept = await stack.workspace.up({ env: aliased });
    expectSuccess(kept);
    expect(kept.summary).toMatchObject({ delete: 0, replace: 0, update: 0 });
    expect(belongings(stack)).toEqual(before);
    expectNoSteps(await stack.workspace.up({ env: aliased }));
  });
});

it("a secret that is renamed in a program goes over to its new name, and stays as it is", async () => {
  const stack = await startStack(`${PROJECT}
new management.Secret("token" + (process.env.SUFFIX ?? ""), { projectRef, name: "TOKEN", value: "value-of-the-token" });
`);
  try {
    expectSuccess(await stack.workspace.up());
    const before = belongings(stack);
    const env = { SUFFIX: "-renamed" };
    expectSuccess(await stack.workspace.up({ env }));
    expect(belongings(stack)).toEqual(before);
    expectNoSteps(await stack.workspace.up({ env }));
  } finally {
    await stack.dispose();
  }
});

describe("resources renamed and taken over", () => {
  const ref = "${app.ref}";
  const PROJECT_INPUTS = {
    name: "shop",
    organizationSlug: "acme",
    dbPass: "db-password-of-the-test",
    region: "eu-central-1",
  };
  /** `adopt` by name, where it is to be taken over; `word` stands in every value. */
  const program = (
    suffix: string,
    adopt: Readonly<Record<string, string>> = {},
    word = "first",
  ): YamlProgram => {
    const one = (name: string, type: string, inputs: object): [string, Declared] => [
      `${name}${suffix}`,
      declare(type, { ...inputs, ...(adopt[name] === undefined ? {} : { adoptId: adopt[name] }) }),
    ];
    return {
      resources: {
        app: declare("Project", PROJECT_INPUTS),
        ...Object.fromEntries([
          one("token", "Secret", { projectRef: ref, name: "TOKEN", value: `${word}-value-of-the-token` }),
          one("key", "ApiKey", { projectRef: ref, type: "secret", name: "backend", description: word }),
          one("settings", "PostgresConfig", { projectRef: ref, workMem: "16MB" }),
        ]),
      },
    };
  };
  let stack: YamlStack;
  beforeAll(async () => {
    stack = await startYamlStack(program(""));
    expectSuccess(await stack.workspace.up());
    expectNoSteps(await stack.workspace.up());
  }, PROVISIONING_TIMEOUT_MS);
  afterAll(() => stack.dispose());

  it("stay, with a warning that says who has them, and go when the program ends", async () => {
    const before = belongings(stack);
    const [{ ref: projectRef } = { ref: "" }] = stack.emulator.control.call("listProjects", {});
    const key = stack.emulator.control
      .call("listApiKeys", { ref: projectRef })
      .find(({ name }) => name === "backend");
    stack.rewrite(program("-renamed", { token: "TOKEN", key: key?.id ?? "" }));
    const renamed = await stack.workspace.up();
    expectSuccess(renamed);
    expect(belongings(stack)).toEqual(before);
    for (const name of ["token", "key"]) expect(outputOf(renamed)).toContain(`::${name}-renamed has it now`);
    expect(outputOf(renamed)).toContain("::settings-renamed declares was kept");
    expectNoSteps(await stack.workspace.up());

    // Adopted with other values, they are what is declared, and the next preview finds nothing to do.
    stack.rewrite(program("-again", { token: "TOKEN", key: key?.id ?? "" }, "another"));
    expectSuccess(await stack.workspace.up());
    expect(stack.emulator.control.call("listApiKeys", { ref: projectRef })).toContainEqual(
      expect.objectContaining({ id: key?.id, description: "another" }),
    );
    expectSuccess(await stack.workspace.preview({ extraArgs: ["--refresh", "--expect-no-changes"] }));

    expectSuccess(await stack.workspace.destroy());
    expect(stack.emulator.control.call("listProjects", {})).toEqual([]);
  });
});

import { writeProgram } from "../../tools/engine/write-program";
import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { declare, startYamlStack, type YamlStack } from "./plugin-stack";
import { expectSuccess, outputOf, PRELUDE, startStack, type Stack } from "./stack";
import { waitUntil } from "../kit/wait-until";

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);

const METADATA_URL = "https://idp.example.com/metadata";
const LISTS = { allowedCidrs: ["203.0.113.0/24"], allowedCidrsV6: ["2001:db8::/48"] };
const STAYS = 'domains: no longer managed, stays ["example.com"]. To remove the domains, declare `[]`.';

function makeProject({ emulator }: Pick<Stack, "emulator">): string {
  const body = { name: "theirs", organization_slug: "acme", db_pass: "password-of-the-test" };
  const { ref } = emulator.control.call("createProject", { body });
  emulator.control.advance(600_000);
  return ref;
}

describe("with the dynamic classes", () => {
  let stack: Stack;
  let projectRef: string;
  beforeEach(async () => {
    stack = await startStack(PRELUDE, { pace: 0.05 });
    projectRef = makeProject(stack);
  });
  afterEach(() => stack.dispose());

  const declareIn = (resources: Readonly<Record<string, object>>): void => {
    const lines = Object.entries(resources).map(
      ([type, inputs]) => `new management.${type}("it", ${JSON.stringify({ projectRef, ...inputs })});`,
    );
    writeProgram(stack.projectDir, [PRELUDE, ...lines].join("\n"), { name: "shop" });
  };

  it("says what stays and what changes beside a secret, and widens no access", async () => {
    const smtp = { host: "mail.example.com", port: 587, user: "mailer", adminEmail: "auth@example.com" };
    const password = "password-of-the-mailer";
    declareIn({
      SsoProvider: { metadataUrl: METADATA_URL, domains: ["example.com"] },
      NetworkRestrictions: LISTS,
      AuthConfig: { smtp: { ...smtp, password } },
    });
    expectSuccess(await stack.workspace.up());

    const { allowedCidrs } = LISTS;
    declareIn({
      SsoProvider: { metadataUrl: METADATA_URL },
      NetworkRestrictions: { allowedCidrs },
      AuthConfig: { smtp: { ...smtp, password, senderName: "Shop" } },
    });
    const preview = await stack.workspace.preview();
    expectSuccess(preview);
    const up = await stack.workspace.up();
    expectSuccess(up);
    for (const result of [preview, up]) {
      expect(outputOf(result)).toContain(STAYS);
      expect(outputOf(result)).toContain('allowedCidrsV6: no longer managed, stays ["2001:db8::/48"].');
      expect(outputOf(result)).toContain("inputs: smtp.senderName (added)");
      expect(outputOf(result)).not.toContain(password);
    }
    const { control } = stack.emulator;
    const lists = () => control.call("getNetworkRestrictions", { ref: projectRef }).config;
    expect(control.call("listSsoProviders", { ref: projectRef }).items[0]?.domains).toMatchObject([
      { domain: "example.com" },
    ]);
    expect(lists()).toEqual({ dbAllowedCidrs: allowedCidrs, dbAllowedCidrsV6: ["2001:db8::/48"] });

    const refreshed = await stack.workspace.refresh();
    expectSuccess(refreshed);
    expect(outputOf(refreshed)).not.toMatch(/no longer managed|\d+ (?:updated|to update)/);
    const destroyed = await stack.workspace.destroy();
    expectSuccess(destroyed);
    expect(outputOf(destroyed)).toContain("were not restored");
    expect(lists()).toEqual({ dbAllowedCidrs: allowedCidrs, dbAllowedCidrsV6: ["2001:db8::/48"] });
  }, 240_000);

  it("has its setting of Postgres again where another program's write took it back", async () => {
    const { control } = stack.emulator;
    control.set("settingsRestartDatabase", true);
    declareIn({ PostgresConfig: { workMem: "16MB" } });
    const running = stack.workspace.up();
    await waitUntil(
      "the settings are sent",
      () => control.countCalls({ operation: "patchPostgresConfig" }) > 0,
    );
    // What another program had read before, with its own setting.
    control.edit(({ projects }) => {
      const project = projects.get(projectRef);
      if (project) project.postgresOverrides = { statement_timeout: "5s" };
    });
    const up = await running;
    expectSuccess(up);
    expect(outputOf(up)).toContain("written once more");
    expect(control.call("getPostgresConfig", { ref: projectRef })).toMatchObject({
      statement_timeout: "5s",
      work_mem: "16MB",
    });
  }, 180_000);
});

it("says with the plugin what stays", async () => {
  const stack: YamlStack = await startYamlStack({ resources: {} });
  try {
    const projectRef = makeProject(stack);
    const inputs = { projectRef, metadataUrl: METADATA_URL };
    stack.rewrite({
      resources: { sso: declare("SsoProvider", { ...inputs, domains: ["example.com"] }) },
    });
    expectSuccess(await stack.workspace.up());
    stack.rewrite({ resources: { sso: declare("SsoProvider", inputs) } });
    const preview = await stack.workspace.preview();
    expectSuccess(preview);
    expect(outputOf(preview)).toContain(STAYS);
    expectSuccess(await stack.workspace.up());
    expect(
      stack.emulator.control.call("listSsoProviders", { ref: projectRef }).items[0]?.domains,
    ).toMatchObject([{ domain: "example.com" }]);
  } finally {
    await stack.dispose();
  }
}, 180_000);

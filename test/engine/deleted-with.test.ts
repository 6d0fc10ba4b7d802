import type { Emulator } from "../../emulator";
import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { declare, startYamlStack, type YamlProgram } from "./plugin-stack";
import { expectSuccess, PROJECT, startStack, type Stack } from "./stack";

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);

const classes = `${PROJECT}
const branch = new management.Branch("preview", { projectRef, name: "preview" }, { deletedWith: project });
new management.Secret("token", { projectRef: branch.ref, name: "TOKEN", value: "value-of-the-token" }, { deletedWith: branch });
new management.SigningKey("signing", { projectRef, algorithm: "ES256", status: "in_use" }, { deletedWith: project });
new management.ApiKey("key", { projectRef, type: "secret", name: "backend" }, { deletedWith: project });
`;

const yaml: YamlProgram = {
  resources: {
    app: declare("Project", {
      name: "shop",
      organizationSlug: "acme",
      dbPass: "db-password-of-the-test",
      region: "eu-central-1",
    }),
    preview: declare("Branch", { projectRef: "${app.ref}", name: "preview" }, { deletedWith: "${app}" }),
    token: declare(
      "Secret",
      { projectRef: "${preview.ref}", name: "TOKEN", value: "value-of-the-token" },
      { deletedWith: "${preview}" },
    ),
    signing: declare(
      "SigningKey",
      { projectRef: "${app.ref}", algorithm: "ES256", status: "in_use" },
      { deletedWith: "${app}" },
    ),
    key: declare(
      "ApiKey",
      { projectRef: "${app.ref}", type: "secret", name: "backend" },
      { deletedWith: "${app}" },
    ),
  },
};

function writesOf({ control }: Emulator): string[] {
  return control
    .calls()
    .filter(({ method }) => method !== "GET")
    .map(({ operation }) => operation ?? "none");
}

describe.each([
  ["the dynamic classes", () => startStack(classes)],
  ["the plugin, in YAML", () => startYamlStack(yaml)],
] as const)("what is deleted with its project, with %s", (_, start) => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await start();
    expectSuccess(await stack.workspace.up());
  });
  afterAll(() => stack.dispose());

  it("costs a destroy no call of its own, a signing key in use included, and leaves nothing behind", async () => {
    stack.emulator.control.clearCalls();
    const destroyed = await stack.workspace.destroy();
    expectSuccess(destroyed);
    expect(destroyed.summary.delete).toBe(6);
    expect(writesOf(stack.emulator)).toEqual(["deleteBranch", "deleteProject"]);
    expect(stack.emulator.control.call("listProjects", {})).toEqual([]);
  });
});

import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { declare, startYamlStack, type Declared, type YamlProgram, type YamlStack } from "./plugin-stack";
import { expectSuccess } from "./stack";

const project = (inputs: Declared["properties"], options?: Declared["options"]): YamlProgram => ({
  resources: {
    app: declare(
      "Project",
      { name: "shop", organizationSlug: "acme", dbPass: "a long password", ...inputs },
      options,
    ),
  },
});
/** What generated code asks of the engine for a property with `replaceOnChanges`. */
const asSdk = { replaceOnChanges: ["region"] };

let stack: YamlStack;
beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);
afterEach(() => stack.dispose());

test("a project whose region is no longer declared is kept, which `replaceOnChanges` in the schema would undo", async () => {
  stack = await startYamlStack(project({ region: "eu-central-1" }));
  expectSuccess(await stack.workspace.up());

  stack.rewrite(project({}, asSdk));
  expect((await stack.workspace.preview()).summary).toMatchObject({ replace: 1 });

  stack.rewrite(project({}));
  expect((await stack.workspace.up()).summary).toMatchObject({ replace: 0, create: 0, delete: 0 });
  expect(stack.emulator.control.call("listProjects", {})).toHaveLength(1);
});

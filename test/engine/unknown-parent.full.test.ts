import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { declare, startYamlStack } from "./plugin-stack";
import { expectSuccess } from "./stack";

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);

// Before a replacement that deletes first, the engine asks for the difference of what depends on it with unknown inputs.

it("what holds data is not deleted for the replacement of what only names its parent", async () => {
  const fixed = { region: "eu-central-1", dbPass: "a long password" };
  const program = (region: string, type: string) => ({
    resources: {
      scratch: declare("Project", {
        ...fixed,
        name: "scratch",
        organizationSlug: "acme",
        region,
        deletionProtection: false,
      }),
      prod: declare("Project", { ...fixed, name: "prod", organizationSlug: "${scratch.organizationSlug}" }),
      key: declare("ApiKey", { projectRef: "${prod.ref}", type, name: "backend" }),
      staging: declare("Branch", { projectRef: "${key.projectRef}", name: "staging", persistent: true }),
    },
  });
  const stack = await startYamlStack(program("eu-central-1", "secret"));
  const { control } = stack.emulator;
  const kept = () =>
    control
      .call("listProjects", {})
      .flatMap(({ ref, name }) =>
        name === "prod"
          ? [ref, ...control.call("listBranches", { ref }).map(({ project_ref }) => project_ref)]
          : [],
      );
  try {
    expectSuccess(await stack.workspace.up());
    const before = kept();
    stack.rewrite(program("eu-central-1", "publishable"));
    expectSuccess(await stack.workspace.up());
    expect(kept()).toEqual(before);
    stack.rewrite(program("us-east-1", "publishable"));
    expectSuccess(await stack.workspace.up());
    expect(kept()).toEqual(before);
  } finally {
    await stack.dispose();
  }
});

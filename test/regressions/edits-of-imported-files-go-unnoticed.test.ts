import { edgeFunction } from "../../provider/resources/functions/edge-function/edge-function";
import { useSourceFolder } from "../lifecycle/functions/source-folder";
import { startScenario, type Managed, type Scenario } from "../lifecycle/scenario";

const source = useSourceFolder();
let scenario: Scenario;
let functions: Managed;
let ref: string;
beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  functions = scenario.manage(edgeFunction);
  source.write({
    "functions/hello/index.ts": 'import { cors } from "../_shared/cors.ts"; import "./lib/text.ts";',
    "functions/hello/lib/text.ts": "one",
    "functions/_shared/cors.ts": 'export * from "./headers.ts";',
    "functions/_shared/headers.ts": "one",
    "functions/other/index.ts": "one",
  });
});
afterEach(() => scenario.close());

const inputs = () => ({ projectRef: ref, slug: "hello", sourceDir: source.path("functions/hello") });
const uploaded = (): [string, string][] => {
  const project = scenario.emulator.world.state.projects.get(ref);
  const bundle = project?.bundles.get(project.functions.get("hello")?.ezbrSha256 ?? "");
  return [...(bundle?.files ?? [])].map(([path, bytes]) => [path, Buffer.from(bytes).toString("utf8")]);
};

it("every file of the import graph is uploaded", async () => {
  await functions.create(inputs());
  expect(uploaded().map(([path]) => path)).toEqual([
    "_shared/cors.ts",
    "_shared/headers.ts",
    "hello/index.ts",
    "hello/lib/text.ts",
  ]);
});

it.each(["functions/hello/lib/text.ts", "functions/_shared/headers.ts"])(
  "an edit of %s is deployed",
  async (path) => {
    const made = await functions.create(inputs());
    source.write({ [path]: "two" });
    expect([...functions.diff(made.state, inputs()).changed]).toEqual(["sourceHash"]);
    await functions.update(made, inputs());
    expect(uploaded().filter(([, text]) => text === "two")).toHaveLength(1);
  },
);

it("an edit of a file that nothing imports is no difference", async () => {
  const made = await functions.create(inputs());
  source.write({ "functions/other/index.ts": "two" });
  expect(functions.diff(made.state, inputs()).changes).toBe(false);
});

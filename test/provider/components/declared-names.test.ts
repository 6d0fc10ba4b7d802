import { resourceByType } from "../../../provider/catalog/catalog";
import { createComponentNames } from "../../../provider/components/declared-names";
import { previewEnvironment } from "../../../provider/components/preview-environment/preview-environment";
import { collectProblems, everyCall } from "../../../tools/schema/reference/error-table";

const OWNERS = [
  "urn:pulumi:dev::shop::management:index:PreviewEnvironment$management:index:FunctionSet::preview-functions",
  "acme/shop/dev/management:index:PreviewEnvironment$preview-functions",
  "acme/shop/dev/other:index:Team$management:index:PreviewEnvironment$preview-functions",
];
const named = (type: string, path: string, reason: string, owner = OWNERS[0] ?? ""): string => {
  const failure = createComponentNames(resourceByType(type), owner).failure({ path, reason });
  return `${failure.path}: ${failure.reason}`;
};

describe("what a resource within a component refuses", () => {
  it.each(OWNERS)("is told by the component's inputs, of %s", (owner) => {
    expect(named("FunctionSet", "functions.hello", "set it in `functions`, or `exclude`", owner)).toBe(
      "functionOptions.hello: set it in `functionOptions`, or `exclude`",
    );
  });

  it.each([
    ["MigrationSet", "directory", "it is wrong", "migrations: it is wrong"],
    ["MigrationSet", "accept[0]", 'set `accept: ["1"]`', 'accept[0]: set `accept: ["1"]`'],
    ["SqlScript", "query", "set `transaction: false`", "seed: set `transaction: false`"],
    ["AuthConfig", "smtp.port", "Declare `smtp.port`", "auth.smtp.port: Declare `auth.smtp.port`"],
    ["PostgresConfig", "workMem", "too much", "settings.workMem: too much"],
    ["SecretSet", "envFile", "no file", "envFile: no file"],
    [
      "FunctionSet",
      "sourceDir",
      "the folder `functions` is a link",
      "functions: the folder `functions` is a link",
    ],
  ])("%s %s", (type, path, reason, told) => {
    expect(named(type, path, reason)).toBe(told);
  });

  it("warns by them too", () => {
    const { text } = createComponentNames(resourceByType("FunctionSet"), OWNERS[0] ?? "");
    expect(text("Set it as `configFile`, or declare the settings in `functions` and `exclude`")).toBe(
      "Set it as `functionsConfigFile`, or declare the settings in `functionOptions` and `exclude`",
    );
  });

  it.each([
    "urn:pulumi:dev::shop::management:index:FunctionSet::functions",
    "urn:pulumi:dev::shop::other:index:Team$management:index:FunctionSet::functions",
    "acme/shop/dev/functions",
  ])("is told as it is, of %s", (owner) => {
    expect(named("FunctionSet", "sourceDir", "in `functions`", owner)).toBe("sourceDir: in `functions`");
  });
});

describe.each(previewEnvironment.makes)("every problem of the %s of a component", (type) => {
  const resource = resourceByType(type);
  const names = createComponentNames(resource, OWNERS[0] ?? "");
  const problems = Object.entries({ ...everyCall, ...collectProblems(resource) });
  const quotedIn = (text: string): string[] =>
    [...text.matchAll(/(?<!folder |function )`([\w.[\]]+)(?=`|: )/g)].map(([, path = ""]) =>
      path.replace(/[.[].*/, ""),
    );
  const isInput = (name: string): boolean => Object.hasOwn(resource.inputs.shape, name);
  const isGiven = (name: string): boolean => Object.hasOwn(previewEnvironment.inputs.shape, name);

  it("names inputs that its user can declare, or says what to do instead", () => {
    const told = problems.flatMap(([key, { says, remedy }]) => {
      const texts = says.includes("{remedy}") ? [says.replace("{remedy}", remedy)] : [says, remedy];
      return texts.map((text) => ({ key, told: names.error(text) }));
    });
    const unexplained = told.filter(
      ({ told: text }) =>
        quotedIn(text).some((name) => isInput(name) && !isGiven(name)) && !text.includes("To start over, "),
    );
    expect(unexplained).toEqual([]);
  });

  it("sends nobody to start over for want of time", () => {
    const waits = problems.filter(([, { remedy }]) => /aise `timeouts`/.test(remedy));
    const told = waits.map(([, { remedy }]) => names.error(remedy));
    expect(told).toEqual(waits.map(([, { remedy }]) => remedy));
  });
});

it("every input that a component's user is sent to is one of the component", () => {
  const declared = Object.entries(previewEnvironment.passes ?? {}).flatMap(([, { inputs = {}, every }]) => [
    ...Object.values(inputs),
    ...(every === undefined ? [] : [every]),
  ]);
  const known = Object.keys(previewEnvironment.inputs.shape);
  expect(declared.filter((name) => !known.includes(name))).toEqual([]);
});

import { resourceByType } from "../../../provider/catalog/catalog";
import { createComponentNames } from "../../../provider/components/declared-names";
import { previewEnvironment } from "../../../provider/components/preview-environment/preview-environment";
import { collectProblems } from "../../../tools/schema/reference/error-table";

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

/** Inputs that the component sets by itself, and `triggers`, of which only what another program has run tells. */
const SET_BY_COMPONENT: Readonly<Record<string, readonly string[]>> = {
  FunctionSet: ["adopt", "adoptId", "allowEmpty", "prune"],
  SecretSet: ["adopt", "adoptId", "allowEmpty", "prune"],
  SqlScript: ["adopt", "adoptId", "onDelete", "readOnly", "triggers"],
  MigrationSet: ["adopt", "adoptId"],
};

describe.each(Object.entries(SET_BY_COMPONENT))("an advice of the %s of a component", (type, set) => {
  const resource = resourceByType(type);
  const inputs = Object.keys(resource.inputs.shape).filter(
    (name) => name !== "timeouts" && !set.includes(name),
  );
  const advices = Object.values(collectProblems(resource)).flatMap(({ remedy }) =>
    inputs.filter((name) => new RegExp(`\`${name}[\`:]`).test(remedy)).map((name) => [name, remedy] as const),
  );

  it("names inputs", () => {
    expect(type === "SecretSet" ? 1 : advices.length).toBeGreaterThan(0);
  });

  it("names none that a program cannot give the component", () => {
    const owner = OWNERS[0] ?? "";
    const told = advices.map(
      ([name]) => createComponentNames(resource, owner).failure({ path: name, reason: "" }).path,
    );
    const known = Object.keys(previewEnvironment.inputs.shape);
    expect(told.filter((name) => !known.includes(name))).toEqual([]);
  });
});

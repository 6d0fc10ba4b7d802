import { rmSync, symlinkSync } from "node:fs";
import { halfMadeBy } from "../half-made";
import type { Values } from "../../../provider/define/values";
import { functionSet } from "../../../provider/resources/functions/function-set/function-set";
import { checkInputs } from "../../../provider/engine/check";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";
import { useFifo } from "./fifo";
import { useSourceFolder } from "./source-folder";

const source = useSourceFolder();
const fifo = useFifo();
let scenario: Scenario;
let sets: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  sets = scenario.manage(functionSet);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({ projectRef: ref, sourceDir: source.path(), ...more });
const answering = (text: string): string => `Deno.serve(() => new Response("${text}"));\n`;
const listing = () => scenario.emulator.control.call("listFunctions", { ref });
const slugs = (): string[] =>
  listing()
    .map(({ slug }) => slug)
    .sort();
const versions = (): Record<string, number> =>
  Object.fromEntries(listing().map(({ slug, version }) => [slug, version]));
const deployOutside = (slug: string): unknown =>
  scenario.emulator.control.call("deployFunction", {
    ref,
    slug,
    body: {
      metadata: { entrypoint_path: "index.ts" },
      file: [{ name: "index.ts", content: new TextEncoder().encode("export {};") }],
    },
  });
const paths = (state: Values, inputs: Values): string[] =>
  sets.diff(state, inputs).properties.map(({ path, kind }) => `${kind} ${path}`);

it("deploys a function for each folder, plans by name, and again what imports what changed", async () => {
  source.write({
    "_shared/cors.ts": "export const cors = {};",
    "bye/index.ts": answering("bye"),
    "hello/index.ts": 'import { cors } from "../_shared/cors.ts";',
  });
  const inputs = declared({ functions: { bye: { verifyJwt: false } } });
  const made = await sets.create(inputs);
  expect(made).toMatchObject({ id: ref, state: { names: ["bye", "hello"] } });
  expect(listing().map(({ slug, verify_jwt }) => [slug, verify_jwt])).toEqual([
    ["bye", false],
    ["hello", true],
  ]);

  scenario.nextRun();
  source.write({ "_shared/cors.ts": "export const cors = { a: 1 };", "third/index.ts": answering("third") });
  rmSync(source.path("bye"), { recursive: true });
  const changed = declared();
  expect(paths(made.state, changed)).toEqual([
    "delete functions",
    "delete deployments.bye",
    "update deployments.hello.sourceHash",
    "add deployments.third",
  ]);
  const updated = await sets.update(made, changed);
  expect(versions()).toEqual({ hello: 2, third: 1 });

  await sets.delete(updated);
  expect(slugs()).toEqual([]);
});

it("shows by slug what was deployed or removed elsewhere, and deploys only that", async () => {
  source.write({ "a/index.ts": answering("a"), "b/index.ts": answering("b"), "c/index.ts": answering("c") });
  const made = await sets.create(declared());
  deployOutside("a");
  scenario.emulator.control.call("deleteFunction", { ref, function_slug: "b" });
  scenario.nextRun();
  const drifted = await sets.read(made);
  expect(paths(drifted?.state ?? {}, declared())).toEqual([
    "update deployments.a.sourceHash",
    "add deployments.b",
  ]);
  scenario.nextRun();
  const again = await sets.read({ id: ref, state: drifted?.state ?? {} });
  expect(again?.state).toEqual(drifted?.state);
  await sets.update({ id: ref, state: drifted?.state ?? {} }, declared());
  expect(versions()).toEqual({ a: 3, b: 1, c: 1 });
});

it("costs nothing for what did not change", async () => {
  source.write(
    Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`f${at}/index.ts`, answering("one")])),
  );
  const made = await sets.create(declared());
  // Two listings, and a look whether the project is active, as the first was empty.
  expect(scenario.calls()).toBe(23);
  expect(scenario.progress.filter((line) => line.includes("of 20"))).toHaveLength(20);
  for (const line of scenario.progress) expect(line).toMatch(/^FunctionSet of [a-z]{20}: /);
  source.write({ "f7/index.ts": answering("two") });
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  await sets.update(made, declared());
  expect(scenario.calls("deployFunction")).toBe(1);
  expect(scenario.calls()).toBe(3);
});

it("changes `verifyJwt` alone without a deploy", async () => {
  source.write({ "a/index.ts": answering("a") });
  const made = await sets.create(declared({ functions: { a: { verifyJwt: true } } }));
  scenario.nextRun();
  const changed = declared({ functions: { a: { verifyJwt: false } } });
  await sets.update(made, changed);
  expect(listing()).toMatchObject([{ slug: "a", verify_jwt: false }]);
  expect(scenario.calls("deployFunction")).toBe(1);
});

describe("a function that fails", () => {
  it("leaves the others deployed, and is tried alone by the next update", async () => {
    source.write({
      "a/index.ts": answering("a"),
      "b/index.ts": answering("b"),
      "c/index.ts": answering("c"),
    });
    scenario.emulator.control.addFault({ operation: "deployFunction", status: 403 });
    const failure = await halfMadeBy(sets.create(declared()));
    expect(failure.message).toContain("`a` failed");
    expect(scenario.calls("deployFunction")).toBe(3);
    expect(slugs()).toEqual(["b", "c"]);
    expect(paths(failure.state, declared())).toEqual(["add deployments.a"]);
    scenario.nextRun();
    const updated = await sets.update({ id: ref, state: failure.state }, declared());
    expect(versions()).toEqual({ a: 1, b: 1, c: 1 });
    expect(sets.diff(updated.state, declared()).changes).toBe(false);
  });
});

describe("functions that exist", () => {
  beforeEach(() => source.write({ "a/index.ts": answering("a"), "b/index.ts": answering("b") }));

  it("are not overwritten, when created or when declared later", async () => {
    deployOutside("a");
    await expect(sets.create(declared())).rejects.toThrow("it has `a`");
    expect(versions()).toEqual({ a: 1 });
    rmSync(source.path("a"), { recursive: true });
    const made = await sets.create(declared());
    source.write({ "a/index.ts": answering("a") });
    scenario.nextRun();
    await expect(sets.update(made, declared())).rejects.toThrow("already has `a`");
    expect(versions()).toEqual({ a: 1, b: 1 });
  });

  it("are taken over where the program says so", async () => {
    deployOutside("a");
    const made = await sets.create(declared({ adopt: true }));
    expect(versions()).toEqual({ a: 2, b: 1 });
    expect(made.state["names"]).toEqual(["a", "b"]);
  });

  it("stay when the set does not declare them, and when others replaced those of the set", async () => {
    deployOutside("other");
    const made = await sets.create(declared());
    scenario.emulator.control.call("deleteFunction", { ref, function_slug: "a" });
    deployOutside("a");
    scenario.nextRun();
    await sets.delete(made);
    expect(slugs()).toEqual(["a", "other"]);
    expect(scenario.warnings.join()).toContain("a was not deleted");
  });

  it("are listed with `prune`, and removed by the update that shows them", async () => {
    deployOutside("other");
    const inputs = declared({ prune: true });
    const made = await sets.create(inputs);
    expect(made.state["undeclared"]).toEqual(["other"]);
    expect(slugs()).toContain("other");
    scenario.nextRun();
    expect(sets.diff(made.state, inputs).renewed).toEqual(["undeclared"]);
    const updated = await sets.update(made, inputs);
    expect(slugs()).toEqual(["a", "b"]);
    expect(sets.diff(updated.state, inputs).changes).toBe(false);
  });
});

it("says what is wrong with the folder before anything is sent", () => {
  source.write({ "no slug/index.ts": "", "empty/other.ts": "", "_shared/a.ts": "", "a/index.ts": "" });
  source.write({ "broken/index.ts": 'import "./none.ts";' });
  const inputs = declared({ functions: { b: { verifyJwt: true }, empty: { verifyJwt: true } } });
  expect(sets.failures(inputs)).toEqual([
    expect.stringContaining(
      "sourceDir: the folder `no slug` does not have a valid function name: expected a letter",
    ),
    expect.stringMatching(/^functions\.b: the folder `b` does not exist in /),
    'sourceDir: the function `broken` cannot be deployed: index.ts:1 imports "./none.ts", which does not exist.',
    expect.stringMatching(/^sourceDir: the function `empty` cannot be deployed: .*index\.ts does not exist/),
  ]);
  expect(sets.failures(declared({ sourceDir: source.path("none") }))[0]).toContain("none does not exist");
});

describe("a folder that lost all its functions", () => {
  const emptied = async (more: Values = {}): Promise<Values> => {
    source.write({ "a/index.ts": answering("a"), "b/index.ts": answering("b"), "_shared/cors.ts": "" });
    const made = await sets.create(declared(more));
    rmSync(source.path("a"), { recursive: true });
    rmSync(source.path("b"), { recursive: true });
    return made.state;
  };

  it.each<Values>([
    {},
    // The lost folder of a function with settings of its own is no fault beside it.
    { functions: { a: { verifyJwt: false } } },
  ])("is refused in the check, which a preview makes, and says what would go: %j", async (more) => {
    const before = await emptied(more);
    scenario.emulator.control.clearCalls();
    expect(sets.failures(declared(more), before)).toEqual([
      expect.stringMatching(
        /^sourceDir: .* is empty now, so `a`, `b` would be deleted\. .*`allowEmpty: true`/,
      ),
    ]);
    expect(sets.failures(declared({ allowEmpty: false }), before)).toHaveLength(1);
    expect(scenario.calls()).toBe(0);
  });

  it("removes them with `allowEmpty: true`", async () => {
    const before = await emptied();
    const inputs = declared({ allowEmpty: true });
    expect(sets.failures(inputs, before)).toEqual([]);
    scenario.nextRun();
    await sets.update({ id: ref, state: before }, inputs);
    expect(slugs()).toEqual([]);
  });

  it("is no fault where it never had one, but for `prune`, which would remove what others made", () => {
    source.write({ "_shared/cors.ts": "" });
    expect(sets.failures(declared())).toEqual([]);
    expect(sets.failures(declared({ prune: true }))).toEqual([
      expect.stringContaining("with `prune` everything in the project would be deleted"),
    ]);
    expect(sets.failures(declared({ prune: true, allowEmpty: true }))).toEqual([]);
  });
});

describe("what of the functions stays on the machine", () => {
  it("is said in one line for all that are deployed", async () => {
    source.write({
      "a/index.ts": answering("a"),
      "a/.env": "TOKEN=1",
      "a/id_rsa": "key",
      "a/ca.pem": "",
      "b/index.ts": answering("b"),
      "b/.env": "TOKEN=2",
    });
    await sets.create(declared({ functions: { a: { staticPatterns: ["ca.pem"] } } }));
    expect(scenario.infos).toEqual([
      expect.stringContaining("not uploaded: a/.env, a/id_rsa, b/.env. Dot files"),
    ]);
  });

  it("names the address of a private registry beside the functions once, with the way, which then uploads it", async () => {
    source.write({
      ".npmrc": "@acme:registry=https://npm.example.com/\n",
      "a/index.ts": `import "npm:@acme/greet@1";\n${answering("a")}`,
      "b/index.ts": `import "npm:@acme/greet@1";\n${answering("b")}`,
      "c/index.ts": answering("c"),
    });
    const made = await sets.create(declared());
    expect(scenario.infos).toEqual([
      expect.stringMatching(
        /: not uploaded: \.npmrc\. .*List a file in `staticPatterns` to upload it\. The service needs \.npmrc/,
      ),
    ]);
    const named = { staticPatterns: ["../.npmrc"] };
    const next = declared({ functions: { a: named, b: named } });
    await sets.update(made, next);
    expect(scenario.infos).toHaveLength(1);
    expect(scenario.warnings).toEqual([]);
  });
});

it("refuses a function whose folder is a link, which it would leave out", () => {
  source.write({ "functions/a/index.ts": answering("a"), "elsewhere/index.ts": "", "plain.txt": "" });
  symlinkSync(source.path("elsewhere"), source.path("functions/b"));
  symlinkSync(source.path("elsewhere"), source.path("functions/_shared"));
  symlinkSync(source.path("plain.txt"), source.path("functions/README"));
  expect(sets.failures(declared({ sourceDir: source.path("functions") }))).toEqual([
    expect.stringContaining("sourceDir: the folder `b` is a link"),
  ]);
});

const check = (inputs: Values, before?: Values) => checkInputs(functionSet, inputs, before);
const deploymentsOf = (inputs: Values): unknown => check(inputs).inputs["deployments"];

describe("a folder without an entrypoint", () => {
  beforeEach(() =>
    source.write({ "a/index.ts": answering("a"), "tests/a.test.ts": "", "my tests/a.ts": "" }),
  );

  it("does not refuse the whole set: it is skipped with a line", async () => {
    const { failures, notes, warnings } = check(declared());
    expect([failures, warnings]).toEqual([[], []]);
    expect(notes).toEqual(["`my tests`, `tests` are not functions, because they have no index.ts."]);
    await sets.create(declared());
    expect(slugs()).toEqual(["a"]);
  });

  it("is an error, and removes nothing, where the set has deployed a function from it", async () => {
    source.write({ "tests/index.ts": answering("tests") });
    const made = await sets.create(declared());
    source.remove("tests/index.ts");
    expect(sets.failures(declared(), made.state)).toEqual([
      expect.stringMatching(
        /^sourceDir: the folder `tests` no longer has index\.ts, so its function would be deleted\. .*`exclude`/,
      ),
    ]);
    source.remove("a/index.ts");
    expect(sets.failures(declared(), made.state)).toHaveLength(2);
  });
});

it("warns of a call for a name that nothing knows, by function", () => {
  source.write({ "a/index.ts": 'await import("lodash");' });
  expect(check(declared())).toMatchObject({
    failures: [],
    warnings: [expect.stringMatching(/^a: index\.ts:1 imports "lodash", which is in no import map/)],
  });
});

describe("`only` and `exclude`", () => {
  beforeEach(() => source.write({ "a/index.ts": answering("a"), "b/index.ts": answering("b") }));

  it.each([{ only: ["a"] }, { exclude: ["b"] }])("choose functions by %j", async (chosen) => {
    await sets.create(declared(chosen));
    expect(slugs()).toEqual(["a"]);
    expect(check(declared(chosen)).inputs["unmanaged"]).toEqual(["b"]);
  });

  it("leave on the service what the set has deployed, and say so, with `prune` too", async () => {
    const made = await sets.create(declared());
    const inputs = declared({ exclude: ["b"], prune: true });
    expect(check(inputs, made.state).warnings).toEqual([
      expect.stringContaining("The set no longer includes `b`. These functions stay on the service"),
    ]);
    scenario.nextRun();
    const updated = await sets.update(made, inputs);
    scenario.nextRun();
    const read = await sets.read(updated);
    expect(read?.state["undeclared"]).toEqual([]);
    expect(sets.diff(read?.state ?? {}, inputs).changes).toBe(false);
    await sets.delete(updated);
    expect(slugs()).toEqual(["b"]);
  });

  it("name what is there", () => {
    expect(sets.failures(declared({ only: ["a", "c"], exclude: ["d"] }))).toEqual([
      expect.stringMatching(/^only: the folder `c` does not exist/),
      expect.stringMatching(/^exclude: the folder `d` does not exist/),
    ]);
  });

  it("leave out folders that could be no functions", () => {
    source.write({ "no slug/index.ts": "", "broken/index.ts": 'import "lodash";' });
    expect(sets.failures(declared({ exclude: ["no slug", "broken"] }))).toEqual([]);
  });
});

describe("a configuration file of the platform's tool", () => {
  const inTool = (more: Values = {}): Values => ({
    projectRef: ref,
    sourceDir: source.path("tool/functions"),
    ...more,
  });
  const configured = (more: Values = {}): Values =>
    inTool({ configFile: source.path("tool/config.toml"), ...more });
  const config = (...lines: string[]): void => source.write({ "tool/config.toml": lines.join("\n") });
  beforeEach(() =>
    source.write({
      ".git/HEAD": "",
      "tool/functions/hello/index.ts": answering("hello"),
      "tool/functions/webhook/index.ts": answering("webhook"),
      "tool/functions/_shared/templates/a.html": "",
    }),
  );

  it("says which functions take calls without a JWT", async () => {
    config("[functions.webhook]", "verify_jwt = false", "", "[functions.hello]", "enabled = true");
    await sets.create(configured());
    expect(listing().map(({ slug, verify_jwt }) => [slug, verify_jwt])).toEqual([
      ["hello", true],
      ["webhook", false],
    ]);
  });

  it("names entrypoint, import map and static files, relative to itself", async () => {
    source.write({
      "tool/functions/report/src/main.ts": 'import "$shared/cors.ts";',
      "tool/functions/_shared/cors.ts": "",
      "tool/maps/report.json": '{ "imports": { "$shared/": "../functions/_shared/" } }',
      "tool/elsewhere/late/start.ts": answering("late"),
    });
    config(
      "[functions.report]",
      'entrypoint = "./functions/report/src/main.ts"',
      'import_map = "./maps/report.json"',
      'static_files = ["./functions/_shared/templates/*.html"]',
      "[functions.late]",
      'entrypoint = "./elsewhere/late/start.ts"',
    );
    await sets.create(configured());
    const about = (slug: string) =>
      scenario.emulator.control.call("getFunction", { ref, function_slug: slug });
    expect(slugs()).toEqual(["hello", "late", "report", "webhook"]);
    expect(about("report")).toMatchObject({
      entrypoint_path: "file:///functions/report/src/main.ts",
      import_map_path: "file:///maps/report.json",
    });
    expect(about("late")).toMatchObject({ entrypoint_path: "file:///start.ts" });
    const body = scenario.emulator.control.call("getFunctionBody", { ref, function_slug: "report" });
    expect(Buffer.from(body).toString()).toContain("functions/_shared/templates/a.html");
  });

  it("leaves alone what is not enabled, also where it was deployed", async () => {
    const made = await sets.create(inTool());
    config("[functions.webhook]", "enabled = false", "[functions.gone]", "enabled = false");
    expect(check(configured(), made.state)).toMatchObject({
      failures: [],
      inputs: { unmanaged: ["gone", "webhook"] },
      warnings: [expect.stringContaining("The set no longer includes `webhook`.")],
    });
    scenario.nextRun();
    await sets.update(made, configured());
    expect(slugs()).toEqual(["hello", "webhook"]);
  });

  it("yields to the program, setting by setting", () => {
    config(
      "[functions.webhook]",
      "verify_jwt = false",
      'static_files = ["./functions/webhook/*.ts"]',
      "[functions.hello]",
      "enabled = false",
    );
    const inputs = configured({ functions: { webhook: { verifyJwt: true } }, only: ["hello", "webhook"] });
    expect(deploymentsOf(inputs)).toMatchObject({ webhook: { verifyJwt: true }, hello: {} });
  });

  it("says what stays of a function when it is not named any more", async () => {
    config("[functions.webhook]", "verify_jwt = false");
    const made = await sets.create(configured());
    source.remove("tool/config.toml");
    scenario.nextRun();
    expect(check(inTool(), made.state).notes).toEqual([
      "verifyJwt of webhook: no longer managed, stays false.",
    ]);
    const updated = await sets.update(made, inTool());
    expect(check(inTool(), updated.state).notes).toEqual([]);
    expect(listing().find(({ slug }) => slug === "webhook")?.verify_jwt).toBe(false);
  });

  it("has blocks for single projects", () => {
    config(
      "[functions.webhook]",
      "verify_jwt = false",
      "[remotes.production]",
      `project_id = "${ref}"`,
      "[remotes.production.functions.webhook]",
      "verify_jwt = true",
      "[remotes.staging]",
      'project_id = "other"',
      "[remotes.staging.functions.webhook]",
      "enabled = false",
    );
    expect(deploymentsOf(configured())).toMatchObject({ webhook: { verifyJwt: true } });
    expect(deploymentsOf({ ...configured(), projectRef: "b".repeat(20) })).toMatchObject({
      webhook: { verifyJwt: false },
    });
  });

  it("may be JSON with comments", () => {
    const file = '{ "functions": { "webhook": { "verify_jwt": false, }, /* one */ } }';
    source.write({ "tool/config.jsonc": file });
    expect(deploymentsOf(configured({ configFile: source.path("tool/config.jsonc") }))).toMatchObject({
      webhook: { verifyJwt: false },
    });
  });

  it.each([
    ["[functions.hello", /^configFile: .*config\.toml cannot be read: line 1, column \d+: [^\n]*$/],
    [
      '[functions.hello]\nverify_jwt = "no"',
      /^configFile: functions\.hello\.verify_jwt in .* has the wrong type/,
    ],
    [
      '[functions.hello]\nverify_jwt = "env(OPEN)"',
      /^configFile: functions\.hello\.verify_jwt .* with `verifyJwt`/,
    ],
    ['[functions.hello]\nentrypoint = "../../outside/index.ts"', /^configFile: .* is outside the repository/],
    ["[functions.none]\nverify_jwt = true", /^configFile: the folder `none` does not exist/],
    ['[functions.hello]\nstatic_files = ["./none/*.html"]', /^sourceDir: .*none does not exist/],
  ])("is refused where it is wrong: %j", (text, failure) => {
    config(text);
    expect(sets.failures(configured())).toEqual([expect.stringMatching(failure)]);
  });

  it("is refused where it is a link out of the repository, or no regular file", () => {
    expect(sets.failures(configured())).toEqual([expect.stringMatching(/config\.toml does not exist/)]);
    fifo(source.path("tool/config.toml"));
    expect(sets.failures(configured())).toEqual([expect.stringMatching(/is not a regular file/)]);
    expect(check(inTool())).toMatchObject({ failures: [], warnings: [] });
  });

  it("is told of where it lies beside the folder, would change functions and is not named", () => {
    config(
      "[functions.webhook]",
      "verify_jwt = false",
      "[functions.hello]",
      'entrypoint = "./functions/hello/index.ts"',
    );
    expect(check(inTool()).warnings).toEqual([
      expect.stringMatching(
        /config\.toml has other settings for `webhook`, but is not used\. Set it as `configFile`/,
      ),
    ]);
    expect(check(configured()).warnings).toEqual([]);
    expect(check(inTool({ functions: { webhook: { verifyJwt: false } } })).warnings).toEqual([]);
    config("[functions.webhook", "verify_jwt = false");
    expect(check(inTool()).warnings).toEqual([]);
  });

  it("is told of in one short line for many functions, those first that it opens to everybody", () => {
    const many = Array.from({ length: 50 }, (_, index) => `f${String(index).padStart(2, "0")}`);
    for (const slug of many) source.write({ [`tool/functions/${slug}/index.ts`]: answering(slug) });
    config(
      ...many.flatMap((slug) => [`[functions.${slug}]`, `verify_jwt = ${slug === "f49" ? "false" : "true"}`]),
    );
    expect(check(inTool()).warnings).toEqual([
      expect.stringMatching(
        /has other settings for `f49`, `f00`, (?:`f\d\d`(?:, )?){8} and 40 more, but is not used/,
      ),
    ]);
  });
});

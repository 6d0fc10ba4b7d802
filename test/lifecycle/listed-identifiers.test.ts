import { allFunctions, allResources } from "../../provider/catalog/catalog";
import { findList, listInputs, listResources } from "../../provider/engine/list";
import { functionSet } from "../../provider/resources/functions/function-set/function-set";
import { isObject } from "../../spec/is-object";
import { growCompanyProject } from "../../tools/engine/grown-project";
import { faults, invoke } from "../functions/invoke";
import { withJson } from "../kit/answer-proxy";
import { startScenario, type Scenario } from "../kit/scenario";
import { useSourceFolder } from "./functions/source-folder";

/** What is an identifier of no object. */
const HOSTILE = [
  ...[
    "../x",
    "a/b",
    "..",
    ".",
    "",
    "a?b",
    "a#b",
    "%2e%2e",
    "%2F",
    "/tmp/x",
    "a\nb",
    "a\r",
    "\u001b[2K",
    "a\u0000",
  ],
  ..."a".repeat(10_000).split("b"),
];
/** The fields by which objects are told apart, or the lists of texts that are such themselves. */
const TELLING = /^(?:id|ref|project_ref|slug|version|identifier|user_id)$/;
const TELLING_OF: Readonly<Record<string, RegExp>> = {
  AllowedCidr: /^dbAllowedCidrs(?:V6)?$/,
  BillingAddon: /^type$/,
  Secret: /^name$/,
  VaultSecret: /^name$/,
};

let scenario: Scenario;
let ref: string;
beforeAll(async () => {
  scenario = await startScenario({ isProxied: true });
  ref = await growCompanyProject(scenario.emulator);
  scenario.emulator.control.call("setUpReadReplica", { ref, body: { read_replica_region: "us-east-1" } });
});
afterAll(() => scenario.close());
afterEach(() => {
  scenario.warnings.length = 0;
});

/** The lists of an answer, with each of their objects once more for every hostile identifier. */
function withHostileObjects(value: unknown, telling: RegExp): unknown {
  if (Array.isArray(value))
    return value.flatMap((each) => [withHostileObjects(each, telling), ...copiesOf(each, telling)]);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      telling.test(key) && Array.isArray(each)
        ? [...(each as unknown[]), ...HOSTILE]
        : withHostileObjects(each, telling),
    ]),
  );
}

function copiesOf(value: unknown, telling: RegExp): unknown[] {
  if (!isObject(value)) return [];
  const fields = Object.entries(value);
  if (!fields.some(([key, each]) => telling.test(key) && typeof each === "string")) return [];
  return HOSTILE.map((text) =>
    Object.fromEntries(
      fields.map(([key, each]) => [key, telling.test(key) && typeof each === "string" ? text : each]),
    ),
  );
}

/** What it gives, which paths it asks for, and whether some list had hostile objects. */
async function pathsOf<T>(
  act: () => Promise<T>,
  telling?: RegExp,
): Promise<{ readonly result: T; readonly paths: string[]; readonly isTried: boolean }> {
  scenario.emulator.control.advance(120_000);
  scenario.nextRun();
  const before = scenario.proxy.requests.length;
  let isTried = false;
  const disturbed = scenario.proxy.disturb({
    rewrite: (answer) => {
      if (
        telling === undefined ||
        answer.status >= 400 ||
        answer.headers["content-type"]?.includes("json") !== true
      )
        return {};
      return withJson(answer, (value) => {
        const changed = withHostileObjects(value, telling);
        isTried ||= JSON.stringify(changed) !== JSON.stringify(value);
        return changed;
      });
    },
  });
  try {
    const result = await act();
    const paths = scenario.proxy.requests
      .slice(before)
      .map(({ method, path }) => `${method} ${path.split("?")[0] ?? ""}`);
    return { result, paths: [...new Set(paths)].toSorted(), isTried };
  } finally {
    disturbed.end();
  }
}

/** Types of which (nearly) any text is an identifier. */
const ANY_TEXT = ["Migration", "Secret", "StorageBucket", "VaultSecret"];

const listed = allResources().filter((resource) => resource.isAction !== true && resource.list !== undefined);
it.each(listed.map((resource) => [resource.type, resource] as const))(
  "%s: a listing leaves out what has no identifier of the documented form, says so, and goes on",
  async (type, resource) => {
    const list = findList(resource);
    if (list === undefined) throw new Error(`${type} has no listing`);
    const given = Object.fromEntries(
      Object.keys(listInputs(list).shape).map((name) => [name, name === "projectRef" ? ref : "acme"]),
    );
    const ids = async () => (await listResources(scenario.runtime, resource, given)).map(({ id }) => id);
    const plain = await pathsOf(ids);
    const hostile = await pathsOf(ids, TELLING_OF[type] ?? TELLING);
    expect(hostile.paths).toEqual(plain.paths);
    const known = new Set(plain.result);
    const more = hostile.result.filter((id) => !known.has(id));
    const allowed = ANY_TEXT.includes(type) ? /^[^/]+\/[^]{1,255}$/ : /^$/;
    expect(more.filter((id) => !allowed.test(id))).toEqual([]);
    expect(hostile.result.filter((id) => known.has(id))).toEqual(plain.result);
    if (!hostile.isTried) return;
    const said = scenario.warnings.filter((line) => line.includes("not of the documented form"));
    expect(said.length).toBeGreaterThan(0);
    expect(said.filter((line) => line.length > 500 || /\p{C}/u.test(line))).toEqual([]);
  },
);

const source = useSourceFolder();

it("a set of functions neither takes over, deletes nor shows what has no slug, and brings about the others", async () => {
  source.write({ "nightly/index.ts": "export {};" });
  const sets = scenario.manage(functionSet);
  const inputs = { projectRef: ref, sourceDir: source.path(), prune: true };
  const slugs = (): string[] =>
    scenario.emulator.control.call("listFunctions", { ref }).map(({ slug }) => slug);
  const others = slugs().toSorted();
  const life = await pathsOf(async () => {
    const made = await sets.create(inputs);
    scenario.nextRun();
    const read = await sets.read(made);
    if (read === undefined) throw new Error("the set is gone");
    const updated = await sets.update(read, inputs);
    scenario.nextRun();
    await sets.delete(updated);
    return { undeclared: made.state["undeclared"], left: slugs() };
  }, TELLING);
  expect(life.result).toEqual({ undeclared: others, left: [] });
  const functions = life.paths.map((path) => decodeURIComponent(path));
  const known = ["nightly", ...others].join("|");
  const own = new RegExp(`^(?:GET|POST|DELETE) /v1/projects/${ref}(?:/functions(?:/(?:deploy|${known}))?)?$`);
  expect(functions.filter((path) => !own.test(path))).toEqual([]);
  expect(scenario.warnings.join("\n")).toContain("not of the documented form");
});

const functions = allFunctions().filter(
  ({ name }) => faults(name, { projectRef: "a".repeat(20) }).length === 0,
);
it.each(functions.map(({ name }) => name))(
  "%s asks for nothing else where a listing has what is no identifier",
  async (name) => {
    const call = () =>
      invoke(scenario, name, { projectRef: ref }).then(
        () => "found",
        (error: unknown) => (error instanceof Error ? error.constructor.name : "thrown"),
      );
    const plain = await pathsOf(call);
    const hostile = await pathsOf(call, TELLING);
    expect({ result: hostile.result, paths: hostile.paths }).toEqual({
      result: plain.result,
      paths: plain.paths,
    });
  },
);

import { allFunctions, allResources } from "../../provider/catalog";
import { findList, listInputs, listResources } from "../../provider/lifecycle/operations/list";
import { functionSet } from "../../provider/resources/functions/function-set/function-set";
import { isObject } from "../../spec/is-object";
import { growCompanyProject } from "../../tools/engine/grown-project";
import { faults, invoke } from "../functions/invoke";
import { withJson } from "../kit/answer-proxy";
import { startScenario, type Scenario } from "../kit/scenario";
import { useSourceFolder } from "./functions/source-folder";

/** What is an identifier of no object. */
const HOSTILE = [
  ...["../x", "a/b", "..", ".", "", "a?b", "a#b", "%2e%2e", "%2F", "/tmp/x", "a\nb", "a\r", "\u001b[2K", "a\u0000"],
  ..."a".repeat(10_000).split("b"),
];
/** The fields by which objects are told apart; names are data where nothing else is told by them. */
const TELLING = /^(?:id|ref|project_ref|slug|version|identifier|user_id)$/;

let scenario: Scenario;
let ref: string;
beforeAll(async () => {
  scenario = await startScenario({ isProxied: true });
  ref = await growCompanyProject(scenario.emulator);
});
afterAll(() => scenario.close());
afterEach(() => {
  scenario.warnings.length = 0;
});

/** The lists of an answer, each with an object more for every hostile identifier, which is otherwise its first. */
function withHostileObjects(value: unknown): unknown {
  if (Array.isArray(value)) {
    const all: unknown[] = value.map(withHostileObjects);
    const first = value.find(isObject);
    if (first === undefined || !Object.keys(first).some((key) => TELLING.test(key))) return all;
    return [...all, ...HOSTILE.map((text) => renamed(first, text))];
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withHostileObjects(each)]));
}

function renamed(object: Readonly<Record<string, unknown>>, text: string): unknown {
  return Object.fromEntries(
    Object.entries(object).map(([key, each]) => [
      key,
      TELLING.test(key) && typeof each === "string" ? text : each,
    ]),
  );
}

/** What it gives, which paths it asks for, and whether some list had hostile objects. */
async function pathsOf<T>(
  act: () => Promise<T>,
  isHostile: boolean,
): Promise<{ readonly result: T; readonly paths: string[]; readonly isTried: boolean }> {
  scenario.emulator.control.advance(120_000);
  scenario.nextRun();
  const before = scenario.proxy.requests.length;
  let isTried = false;
  const disturbed = scenario.proxy.disturb({
    rewrite: (answer) => {
      if (!isHostile || answer.status >= 400 || answer.headers["content-type"]?.includes("json") !== true) return {};
      return withJson(answer, (value) => {
        const changed = withHostileObjects(value);
        isTried ||= JSON.stringify(changed) !== JSON.stringify(value);
        return changed;
      });
    },
  });
  try {
    const result = await act();
    const paths = scenario.proxy.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
    return { result, paths: [...new Set(paths)].toSorted(), isTried };
  } finally {
    disturbed.end();
  }
}

/** Listings in which another field tells objects apart, or a list of what we know. */
const NOT_TRIED = ["AllowedCidr", "Secret", "VaultSecret"];
/** Types of which any text but a path, a line end and nothing is an identifier. */
const ANY_TEXT = ["Migration"];

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
    const plain = await pathsOf(ids, false);
    const hostile = await pathsOf(ids, true);
    expect(hostile.paths).toEqual(plain.paths);
    const known = new Set(plain.result);
    const more = hostile.result.filter((id) => !known.has(id));
    const allowed = ANY_TEXT.includes(type) ? /^[^/]+\/[^/\0\r\n]{1,255}$/ : /^$/;
    expect(more.filter((id) => !allowed.test(id))).toEqual([]);
    expect(hostile.result.filter((id) => known.has(id))).toEqual(plain.result);
    if (!hostile.isTried || NOT_TRIED.includes(type)) return;
    const said = scenario.warnings.filter((line) => line.includes("not of the documented form"));
    expect(said.length).toBeGreaterThan(0);
    expect(said.filter((line) => line.length > 500 || /\p{C}/u.test(line))).toEqual([]);
  },
);

const source = useSourceFolder();

it("a set of functions neither takes over, deletes nor shows what has no slug, and brings about the others", async () => {
  source.write({ "hello/index.ts": "export {};" });
  const sets = scenario.manage(functionSet);
  const inputs = { projectRef: ref, sourceDir: source.path(), prune: true };
  const slugs = (): string[] => scenario.emulator.control.call("listFunctions", { ref }).map(({ slug }) => slug);
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
  }, true);
  expect(life.result).toEqual({ undeclared: others, left: [] });
  const functions = life.paths.map((path) => decodeURIComponent(path.split("?")[0] ?? ""));
  const known = ["hello", ...others].join("|");
  const own = new RegExp(`^(?:GET|POST|DELETE) /v1/projects/${ref}(?:/functions(?:/(?:deploy|${known}))?)?$`);
  expect(functions.filter((path) => !own.test(path))).toEqual([]);
  expect(scenario.warnings.join("\n")).toContain("not of the documented form");
});

const functions = allFunctions().filter(({ name }) => faults(name, { projectRef: ref ?? "a".repeat(20) }).length === 0);
it.each(functions.map(({ name }) => name))(
  "%s asks for nothing else where a listing has what is no identifier",
  async (name) => {
    const call = () => invoke(scenario, name, { projectRef: ref }).then(() => "found", (error: Error) => error.constructor.name);
    const plain = await pathsOf(call, false);
    const hostile = await pathsOf(call, true);
    expect({ result: hostile.result, paths: hostile.paths }).toEqual({ result: plain.result, paths: plain.paths });
  },
);

import type { ProjectStatus } from "../../../emulator/service/world/records/project";
import type { Values } from "../../../provider/define/values";
import { edgeFunction } from "../../../provider/resources/functions/edge-function/edge-function";
import { functionSet } from "../../../provider/resources/functions/function-set/function-set";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";
import { halfMadeBy } from "../half-made";
import { useSourceFolder } from "./source-folder";

const source = useSourceFolder();
let scenario: Scenario;
let functions: Managed;
let sets: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  functions = scenario.manage(edgeFunction);
  sets = scenario.manage(functionSet);
});
afterEach(() => scenario.close());

const single = (slug: string, text = "one", more: Values = {}): Values => ({
  ...{ projectRef: ref, slug, files: { "index.ts": `Deno.serve(() => new Response("${text}"));` } },
  ...more,
});
const folder = (...slugs: string[]): Values => {
  source.write(Object.fromEntries(slugs.map((slug) => [`${slug}/index.ts`, `export default "${slug}";`])));
  return { projectRef: ref, sourceDir: source.path() };
};
const versions = (): Record<string, number> =>
  Object.fromEntries(
    scenario.emulator.control.call("listFunctions", { ref }).map(({ slug, version }) => [slug, version]),
  );
const record = (slug: string, version: number) => ({
  ...{ id: `id-${slug}`, slug, name: slug, status: "ACTIVE", version, verify_jwt: true },
  ...{ created_at: scenario.clock.now(), updated_at: scenario.clock.now() },
});
/** The service answers deploys with success and does nothing. */
const loseDeploys = (slug: string, version: number, times: number, skip = 0): unknown =>
  scenario.emulator.control.addFault({
    ...{ operation: "deployFunction", status: 201, body: record(slug, version), times, skip },
  });

describe("the service", () => {
  const send = (slug: string): Promise<unknown> =>
    scenario.client.deployFunction({
      ...{ ref, slug },
      body: {
        metadata: { entrypoint_path: "index.ts" },
        file: [{ name: "index.ts", content: new TextEncoder().encode("export {};") }],
      },
    });
  const six = ["a", "b", "c", "d", "e", "f"];

  it("answers all of six deploys side by side with success, and keeps those that arrive when none is open", async () => {
    await Promise.all(six.map(send));
    const kept = Object.keys(versions());
    expect(kept[0]).toBe("a");
    expect(kept.length).toBeLessThan(six.length);
  });

  it("keeps all as it was documented", async () => {
    scenario.emulator.control.set(["service"], "2026-06");
    await Promise.all(six.map(send));
    expect(Object.keys(versions()).sort()).toEqual(six);
  });

  it("loses a delete that arrives while a deploy has no answer", async () => {
    await send("a");
    await Promise.all([send("b"), scenario.client.deleteFunction({ ref, function_slug: "a" })]);
    expect(versions()).toEqual({ a: 1, b: 1 });
  });
});

it("deploys and deletes one at a time, across functions and sets of a project", async () => {
  const old = await functions.create(single("old"));
  const [, , , set] = await Promise.all([
    functions.create(single("a")),
    functions.create(single("b")),
    functions.delete(old),
    sets.create(folder("c", "d", "e")),
  ]);
  expect(versions()).toEqual({ a: 1, b: 1, c: 1, d: 1, e: 1 });
  await Promise.all([functions.create(single("f")), sets.delete(set)]);
  expect(versions()).toEqual({ a: 1, b: 1, f: 1 });
});

describe("a deploy that another process makes the service lose", () => {
  it("is sent once more when two listings ten seconds apart do not show it", async () => {
    loseDeploys("hello", 1, 1);
    const began = scenario.clock.now();
    const made = await functions.create(single("hello"));
    expect(versions()).toEqual({ hello: 1 });
    expect(made.state).toMatchObject({ version: 1, functionId: expect.not.stringMatching("id-") as unknown });
    expect(scenario.calls("deployFunction")).toBe(2);
    expect(scenario.clock.now() - began).toBeGreaterThanOrEqual(10_000);
    expect(scenario.progress.join("\n")).toContain("the service lost the deploy of hello");
  });

  it("is no loss where the second listing shows it", async () => {
    scenario.emulator.control.addFault({
      ...{ operation: "listFunctions", status: 200, body: [], times: 1, skip: 1 },
    });
    await functions.create(single("hello"));
    expect([versions(), scenario.calls("deployFunction")]).toEqual([{ hello: 1 }, 1]);
  });

  it("counts as lost at the version before, and is recorded as this program's where others deploy later", async () => {
    const made = await functions.create(single("hello"));
    scenario.nextRun();
    loseDeploys("hello", 2, 1);
    const updated = await functions.update(made, single("hello", "two"));
    expect(versions()).toEqual({ hello: 2 });
    expect(updated.state).toMatchObject({ version: 2 });
    const read = await functions.read(updated);
    expect(functions.diff(read?.state ?? {}, single("hello", "two")).changes).toBe(false);
  });

  it("is an error when it is lost twice, with the function in the state, and the next update makes it", async () => {
    loseDeploys("hello", 1, 2);
    const failure = await halfMadeBy(functions.create(single("hello")));
    expect(failure.message).toMatch(/deploy of hello to the project [a-z]{20} with success, twice/);
    expect(scenario.calls("deployFunction")).toBe(2);
    scenario.nextRun();
    await functions.update({ id: "hello", state: failure.state }, single("hello"));
    expect(versions()).toEqual({ hello: 1 });
  });

  it("leaves the other functions of a set deployed, and listings are shared by those that wait", async () => {
    loseDeploys("b", 1, 1, 1);
    scenario.emulator.control.clearCalls();
    await sets.create(folder("a", "b", "c"));
    expect(versions()).toEqual({ a: 1, b: 1, c: 1 });
    expect([scenario.calls("deployFunction"), scenario.calls("listFunctions")]).toEqual([4, 4]);
  });
});

describe("a change of `verifyJwt` that another process makes the service lose", () => {
  const verified = (): Record<string, boolean> =>
    Object.fromEntries(
      scenario.emulator.control
        .call("listFunctions", { ref })
        .map(({ slug, verify_jwt }) => [slug, verify_jwt === true]),
    );
  const unverified = (slugs: readonly string[]) =>
    Object.fromEntries(slugs.map((slug) => [slug, { verifyJwt: false }]));
  /** The service answers changes with success and does nothing. */
  const loseChanges = (operation: "updateFunction" | "updateFunctions", times: number): void => {
    const answer = (slug: string, version: number) => ({ ...record(slug, version), verify_jwt: false });
    const body =
      operation === "updateFunction" ? answer("a", 1) : { functions: [answer("a", 2), answer("b", 2)] };
    scenario.emulator.control.addFault({ operation, status: 200, body, times });
  };

  it("is sent once more, of a single function", async () => {
    const made = await functions.create(single("a"));
    scenario.nextRun();
    loseChanges("updateFunction", 1);
    const updated = await functions.update(made, single("a", "one", { verifyJwt: false }));
    expect(verified()).toEqual({ a: false });
    expect(updated.state).toMatchObject({ verifyJwt: false });
    expect(scenario.calls("updateFunction")).toBe(2);
    expect(scenario.progress.join("\n")).toContain("the service lost the change of a");
  });

  it.each([[["a"]], [["a", "b"]]])("is sent once more, of a set's %j", async (slugs) => {
    const declared = folder("a", "b");
    const made = await sets.create(declared);
    scenario.nextRun();
    loseChanges(slugs.length === 1 ? "updateFunction" : "updateFunctions", 1);
    const changed = { ...declared, functions: unverified(slugs) };
    const updated = await sets.update(made, changed);
    expect(verified()).toEqual({ a: false, b: !slugs.includes("b") });
    scenario.nextRun();
    const read = await sets.read(updated);
    expect(sets.diff(read?.state ?? {}, sets.checked(changed)).changes).toBe(false);
  });

  it("is an error when it is lost twice, and the next update makes it", async () => {
    const declared = folder("a", "b");
    const made = await sets.create(declared);
    scenario.nextRun();
    loseChanges("updateFunction", 2);
    const changed = { ...declared, functions: unverified(["a"]) };
    await expect(sets.update(made, changed)).rejects.toThrow(/the change of a in the project .* twice/);
    expect(verified()).toEqual({ a: true, b: true });
    scenario.nextRun();
    scenario.emulator.control.clearFaults();
    await sets.update(made, changed);
    expect(verified()).toEqual({ a: false, b: true });
  });
});

describe("a source that the service does not take as it is", () => {
  it("is refused as too large with its size, and what the limit is", async () => {
    const large = single("large", "x".repeat(5_000_000));
    await expect(functions.create(large)).rejects.toThrow(
      /refused the source of large as too large \(5\.0 MB\): it accepts 2 MB and refuses 8 MB.*\.funcignore/,
    );
    scenario.emulator.control.set(["service"], "2026-06");
    await functions.create(large);
  });

  it("warns that static files are missing at run time", async () => {
    const files = { "index.ts": "export {};", "page.html": "<p>" };
    await functions.create(single("page", "", { files, staticPatterns: ["page.html"] }));
    expect(scenario.warnings.join()).toContain("page: `staticPatterns` uploads files, but");
  });
});

describe("a delete that is lost", () => {
  const loseDeletes = (times: number): unknown =>
    scenario.emulator.control.addFault({ operation: "deleteFunction", status: 200, body: {}, times });

  it("is sent once more", async () => {
    const made = await functions.create(single("hello"));
    loseDeletes(1);
    await functions.delete(made);
    expect(versions()).toEqual({});
  });

  it("is an error when it is lost twice", async () => {
    const made = await functions.create(single("hello"));
    loseDeletes(2);
    await expect(functions.delete(made)).rejects.toThrow("but still lists it");
    await functions.delete(made);
    expect(versions()).toEqual({});
  });
});

it("does not count waiting for its turn towards the deadline", async () => {
  const setStatus = (status: ProjectStatus | null): unknown =>
    scenario.emulator.control.set(["projects", ref, "forcedStatus"], status);
  setStatus("RESTARTING");
  const first = functions.create(single("first"));
  const second = functions.create(single("second", "one", { timeouts: { create: 30 } }));
  await scenario.clock.sleep(5 * 60_000).then(() => setStatus(null));
  await Promise.all([first, second]);
  expect(versions()).toEqual({ first: 1, second: 1 });
});

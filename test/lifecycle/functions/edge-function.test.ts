import { relative } from "node:path";
import { edgeFunction, fromWire } from "../../../provider/resources/functions/edge-function/edge-function";
import type { Values } from "../../../provider/define/values";
import { UNKNOWN } from "../../../provider/define/unknown";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";
import { useSourceFolder } from "./source-folder";

const source = useSourceFolder();

let scenario: Scenario;
let functions: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  functions = scenario.manage(edgeFunction);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({
  projectRef: ref,
  slug: "hello",
  files: { "index.ts": "one" },
  ...more,
});
const onService = (slug = "hello") => scenario.emulator.world.state.projects.get(ref)?.functions.get(slug);
const uploaded = (slug = "hello"): Record<string, string> => {
  const bundle = scenario.emulator.world.state.projects
    .get(ref)
    ?.bundles.get(onService(slug)?.ezbrSha256 ?? "");
  return Object.fromEntries(
    [...(bundle?.files ?? [])].map(([path, bytes]) => [path, Buffer.from(bytes).toString("utf8")]),
  );
};
const deployElsewhere = (text: string): void => {
  scenario.emulator.control.call("deployFunction", {
    ref,
    slug: "hello",
    body: {
      file: [{ name: "index.ts", content: new TextEncoder().encode(text) }],
      metadata: { entrypoint_path: "index.ts" },
    },
  });
};

it("regression: shows when it was made, and where its modules are, of which the service tells a URL", async () => {
  const made = await functions.create(declared());
  const shown = scenario.emulator.control.call("getFunction", { ref, function_slug: "hello" });
  const paths = { entrypointPath: "index.ts", importMap: false };
  expect(shown.entrypoint_path).toBe("file:///index.ts");
  expect(made.state).toMatchObject({ ...paths, createdAt: expect.stringMatching(/^\d{4}-/) as string });
  expect(made.state).not.toHaveProperty("importMapPath");
  scenario.nextRun();
  const read = await functions.read(made);
  expect(read?.inputs).not.toHaveProperty("entrypointPath");
  expect(functions.diff(read?.state ?? {}, declared()).changes).toBe(false);
});

it.each([
  ["file:///src/my%20main.ts", "src/my main.ts"],
  ["file:///tmp/built/index.ts", "tmp/built/index.ts"],
  ["./src/index.ts", "src/index.ts"],
  ["", undefined],
])("shows the path that the service tells as %j", (told, shown) => {
  const { outputs } = fromWire({ slug: "hello", entrypoint_path: told, import_map_path: told });
  expect([outputs.entrypointPath, outputs.importMapPath]).toEqual([shown, shown]);
});

it("regression: shows a declared entrypoint as it is declared", async () => {
  const inputs = declared({ files: { "main.ts": "one" }, entrypointPath: "main.ts" });
  const made = await functions.create(inputs);
  expect(made.state).toMatchObject({ entrypointPath: "main.ts" });
  scenario.nextRun();
  const read = await functions.read(made);
  expect(read?.state).toMatchObject({ entrypointPath: "main.ts" });
  expect(functions.diff(read?.state ?? {}, inputs).changes).toBe(false);
});

it("uploads what is declared, and counts a version for each change", async () => {
  const made = await functions.create(declared({ name: "Hello", verifyJwt: false }));
  expect(made.id).toBe("hello");
  expect(onService()).toMatchObject({
    name: "Hello",
    verifyJwt: false,
    version: 1,
    entrypointPath: "index.ts",
  });
  expect(uploaded()).toEqual({ "index.ts": "one" });
  expect(made.state).toMatchObject({
    functionId: onService()?.id,
    version: 1,
    status: "ACTIVE",
    ezbrSha256: onService()?.ezbrSha256,
  });

  scenario.nextRun();
  const read = await functions.read(made);
  expect(read?.inputs).toMatchObject({ name: "Hello", verifyJwt: false });
  expect(functions.diff(read?.state ?? {}, declared({ name: "Hello", verifyJwt: false })).changes).toBe(
    false,
  );

  scenario.nextRun();
  const changed = declared({ name: "Hello", verifyJwt: false, files: { "index.ts": "two" } });
  expect([...functions.diff(made.state, changed).changed]).toEqual(["sourceHash"]);
  const updated = await functions.update(made, changed);
  expect(uploaded()).toEqual({ "index.ts": "two" });
  expect(updated.state).toMatchObject({ version: 2, ezbrSha256: onService()?.ezbrSha256 });
});

it("is deployed from a folder with everything that its modules import", async () => {
  source.write({
    "functions/hello/index.ts": 'import { cors } from "../_shared/cors.ts";',
    "functions/hello/deno.json": "{}",
    "functions/hello/pages/hello.html": "<p>hello</p>",
    "functions/_shared/cors.ts": "export const cors = {};",
    "functions/_shared/unused.ts": "",
  });
  const made = await functions.create({
    projectRef: ref,
    slug: "hello",
    sourceDir: source.path("functions/hello"),
    staticPatterns: ["pages/*.html"],
  });
  expect(Object.keys(uploaded()).sort()).toEqual([
    "_shared/cors.ts",
    "hello/deno.json",
    "hello/index.ts",
    "hello/pages/hello.html",
  ]);
  expect(onService()).toMatchObject({
    entrypointPath: "hello/index.ts",
    importMapPath: "hello/deno.json",
    importMap: true,
  });
  expect(made.state["sourceHash"]).toMatch(/^[0-9a-f]{64}$/);
});

it("uploads nothing when only name or verifyJwt change", async () => {
  const made = await functions.create(declared({ name: "Hello", verifyJwt: true }));
  scenario.emulator.control.clearCalls();
  const updated = await functions.update(made, declared({ name: "Hello again", verifyJwt: false }));
  expect(onService()).toMatchObject({
    name: "Hello again",
    verifyJwt: false,
    ezbrSha256: made.state["ezbrSha256"],
  });
  // One listing confirms the change, the other what was deployed.
  expect(scenario.emulator.control.calls().map(({ operation }) => operation)).toEqual([
    "updateFunction",
    "listFunctions",
    "listFunctions",
  ]);
  scenario.nextRun();
  const read = await functions.read(updated);
  expect(functions.diff(read?.state ?? {}, declared({ name: "Hello again", verifyJwt: false })).changes).toBe(
    false,
  );
});

it("changes name and verifyJwt of many functions in one bulk call, without an upload", async () => {
  const slugs = ["a", "b", "c"];
  const all = await Promise.all(slugs.map((slug) => functions.create(declared({ slug, verifyJwt: true }))));
  const checksums = slugs.map((slug) => onService(slug)?.ezbrSha256);
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  const updated = await Promise.all(
    all.map((made, index) => functions.update(made, declared({ slug: slugs[index], verifyJwt: false }))),
  );
  expect(slugs.map((slug) => onService(slug)?.verifyJwt)).toEqual([false, false, false]);
  expect(slugs.map((slug) => onService(slug)?.ezbrSha256)).toEqual(checksums);
  expect([scenario.calls("updateFunctions"), scenario.calls("deployFunction"), scenario.calls()]).toEqual([
    1, 0, 4,
  ]);
  scenario.nextRun();
  for (const [index, made] of updated.entries()) {
    const read = await functions.read(made);
    expect(
      functions.diff(read?.state ?? {}, declared({ slug: slugs[index], verifyJwt: false })).changes,
    ).toBe(false);
  }
});

it("says in a bulk change which function is gone and changes the others", async () => {
  const slugs = ["a", "b", "c"];
  const all = await Promise.all(slugs.map((slug) => functions.create(declared({ slug, name: "one" }))));
  scenario.emulator.control.call("deleteFunction", { ref, function_slug: "b" });
  scenario.nextRun();
  const ended = await Promise.allSettled(
    all.map((made, index) => functions.update(made, declared({ slug: slugs[index], name: "two" }))),
  );
  expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect([onService("a")?.name, onService("b"), onService("c")?.name]).toEqual(["two", undefined, "two"]);
});

it("is deployed again after a deploy made outside", async () => {
  const made = await functions.create(declared());
  deployElsewhere("by hand");
  scenario.nextRun();
  const read = await functions.read(made);
  expect(read?.inputs["sourceHash"]).toBe("changed outside: version 2");
  expect([...functions.diff(read?.state ?? {}, declared()).changed]).toEqual(["sourceHash"]);
  const again = await functions.read({ id: "hello", state: read?.state ?? {} });
  expect(again?.inputs["sourceHash"]).toBe("changed outside: version 2");
  const repaired = await functions.update({ id: "hello", state: read?.state ?? {} }, declared());
  expect(uploaded()).toEqual({ "index.ts": "one" });
  scenario.nextRun();
  const seen = await functions.read(repaired);
  expect(functions.diff(seen?.state ?? {}, declared()).changes).toBe(false);
});

it("shows name and verifyJwt that changed outside, and puts them right without an upload", async () => {
  const inputs = declared({ name: "Hello", verifyJwt: true });
  const made = await functions.create(inputs);
  scenario.emulator.control.call("updateFunction", {
    ref,
    function_slug: "hello",
    body: { name: "Other", verify_jwt: false },
  });
  scenario.nextRun();
  const read = await functions.read(made);
  expect(read?.inputs).toMatchObject({ name: "Other", verifyJwt: false });
  await functions.update({ id: "hello", state: read?.state ?? {} }, inputs);
  expect(onService()).toMatchObject({ name: "Hello", verifyJwt: true });
  expect(scenario.calls("deployFunction")).toBe(1);
});

it("does not overwrite a function that somebody else made, unless it is adopted", async () => {
  deployElsewhere("theirs");
  await expect(functions.create(declared())).rejects.toThrow(/already exists.*adoptId: "hello"/s);
  expect(uploaded()).toEqual({ "index.ts": "theirs" });
  scenario.nextRun();
  const adopted = await functions.create(declared({ adopt: true, verifyJwt: false }));
  expect(uploaded()).toEqual({ "index.ts": "one" });
  expect(onService()).toMatchObject({ version: 2, verifyJwt: false });
  scenario.nextRun();
  const read = await functions.read(adopted);
  expect(functions.diff(read?.state ?? {}, declared({ verifyJwt: false })).changes).toBe(false);
});

it("explains that the plan's quota is used up", async () => {
  scenario.emulator.control.edit((state) => {
    for (const plan of Object.keys(state.functionQuotas) as (keyof typeof state.functionQuotas)[]) {
      state.functionQuotas[plan] = 0;
    }
  });
  await expect(functions.create(declared())).rejects.toThrow(
    /quota of edge functions is used up.*larger plan/s,
  );
  expect(onService()).toBeUndefined();
});

it.each([{ drop: "after" }, { status: 500, after: true }, { drop: "before" }, { status: 500 }] as const)(
  "is deployed once in spite of %j",
  async (fault) => {
    scenario.emulator.control.addFault({ operation: "deployFunction", ...fault });
    const made = await functions.create(declared());
    expect(onService()?.version).toBe(1);
    expect(made.state).toMatchObject({ version: 1, ezbrSha256: onService()?.ezbrSha256 });
    scenario.nextRun();
    scenario.emulator.control.addFault({ operation: "deployFunction", ...fault });
    const updated = await functions.update(made, declared({ files: { "index.ts": "two" } }));
    expect(onService()?.version).toBe(2);
    expect(updated.state).toMatchObject({ version: 2 });
    expect(uploaded()).toEqual({ "index.ts": "two" });
  },
);

it("waits for a project that restarts, whatever it does there", async () => {
  const restart = (): void => {
    scenario.emulator.control.call("updatePostgresConfig", { ref, body: { restart_database: true } });
  };
  restart();
  const made = await functions.create(declared({ name: "one" }));
  restart();
  const renamed = await functions.update(made, declared({ name: "two" }));
  expect(onService()).toMatchObject({ version: 1, name: "two" });
  restart();
  await functions.delete(renamed);
  expect(onService()).toBeUndefined();
});

it("is made again when it is deployed after somebody deleted it", async () => {
  const made = await functions.create(declared());
  scenario.emulator.control.call("deleteFunction", { ref, function_slug: "hello" });
  scenario.nextRun();
  await functions.update(made, declared({ files: { "index.ts": "two" } }));
  expect(uploaded()).toEqual({ "index.ts": "two" });
});

describe("check", () => {
  it("wants exactly one of sourceDir and files", () => {
    expect(functions.failures({ projectRef: ref, slug: "hello" })).toEqual([
      "sourceDir: give `sourceDir`, or `files`",
    ]);
    expect(functions.failures(declared({ sourceDir: "source" }))).toEqual([
      "files: `sourceDir` and `files` cannot be combined",
    ]);
  });

  it("names the property whose file is missing", () => {
    expect(functions.failures({ projectRef: ref, slug: "hello", sourceDir: "nowhere" })[0]).toMatch(
      /^sourceDir: .*nowhere does not exist/,
    );
    expect(functions.failures(declared({ entrypointPath: "main.ts" }))[0]).toMatch(/^entrypointPath: /);
  });

  it("names a slug that no URL can bear", () => {
    expect(functions.failures(declared({ slug: "1 hello" }))[0]).toMatch(/^slug: /);
  });

  it("says nothing of a source that is not known yet", () => {
    expect(functions.failures({ projectRef: ref, slug: "hello", files: { "index.ts": UNKNOWN } })).toEqual(
      [],
    );
    expect(functions.failures({ projectRef: ref, slug: "hello", sourceDir: UNKNOWN })).toEqual([]);
  });
});

it("sees no difference when only the folder of an equal source moves", async () => {
  source.write({ "here/hello/index.ts": "one", "there/index.ts": "one" });
  const inputs = { projectRef: ref, slug: "hello", sourceDir: source.path("here/hello") };
  const made = await functions.create(inputs);
  const moved = { ...inputs, sourceDir: relative(process.cwd(), source.path("there")) };
  const difference = functions.diff(made.state, moved);
  expect([...difference.changed]).toEqual([]);
});

it("is replaced, the old one first, when its slug changes", async () => {
  const made = await functions.create(declared());
  expect(functions.diff(made.state, declared({ slug: "other" }))).toMatchObject({
    replaces: ["slug"],
    deleteBeforeReplace: true,
  });
});

it("version and checksum are those of the new deploy after an update, and no difference after it", async () => {
  const inputs = (text: string) => ({ projectRef: ref, slug: "hello", files: { "index.ts": text } });
  const made = await functions.create(inputs("one"));
  const updated = await functions.update(made, inputs("two"));
  const deployed = onService();
  expect(updated.state).toMatchObject({ version: deployed?.version, ezbrSha256: deployed?.ezbrSha256 });
  expect(updated.state["version"]).not.toBe(made.state["version"]);
  expect(updated.state["ezbrSha256"]).not.toBe(made.state["ezbrSha256"]);
  expect(functions.diff(updated.state, inputs("two")).changes).toBe(false);
});

it.each([true, false])(
  "verifyJwt: %s is set with the first deploy and kept by the next one",
  async (verifyJwt) => {
    const made = await functions.create(declared({ files: { "index.ts": "one" }, verifyJwt }));
    expect(onService()?.verifyJwt).toBe(verifyJwt);
    await functions.update(made, declared({ files: { "index.ts": "two" }, verifyJwt }));
    expect(onService()?.verifyJwt).toBe(verifyJwt);
  },
);

it("verifyJwt stays as the service has it when it is not declared", async () => {
  const made = await functions.create(declared({ files: { "index.ts": "one" } }));
  scenario.emulator.control.call("updateFunction", {
    ref,
    function_slug: "hello",
    body: { verify_jwt: false },
  });
  scenario.nextRun();
  await functions.update(made, declared({ files: { "index.ts": "two" } }));
  expect(onService()?.verifyJwt).toBe(false);
});

it("verifyJwt that was changed outside is drift", async () => {
  const made = await functions.create(declared({ files: { "index.ts": "one" }, verifyJwt: true }));
  scenario.emulator.control.call("updateFunction", {
    ref,
    function_slug: "hello",
    body: { verify_jwt: false },
  });
  scenario.nextRun();
  const read = await functions.read(made);
  expect([
    ...functions.diff(read?.state ?? {}, declared({ files: { "index.ts": "one" }, verifyJwt: true })).changed,
  ]).toEqual(["verifyJwt"]);
});

describe("edits of imported files", () => {
  beforeEach(() => {
    source.write({
      "functions/hello/index.ts": 'import { cors } from "../_shared/cors.ts"; import "./lib/text.ts";',
      "functions/hello/lib/text.ts": "one",
      "functions/_shared/cors.ts": 'export * from "./headers.ts";',
      "functions/_shared/headers.ts": "one",
      "functions/other/index.ts": "one",
    });
  });

  const inputs = () => ({ projectRef: ref, slug: "hello", sourceDir: source.path("functions/hello") });

  it("every file of the import graph is uploaded", async () => {
    await functions.create(inputs());
    expect(Object.keys(uploaded())).toEqual([
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
      expect(Object.values(uploaded()).filter((text) => text === "two")).toHaveLength(1);
    },
  );

  it("an edit of a file that nothing imports is no difference", async () => {
    const made = await functions.create(inputs());
    source.write({ "functions/other/index.ts": "two" });
    expect(functions.diff(made.state, inputs()).changes).toBe(false);
  });
});

describe("fifty functions", () => {
  const fifty = Array.from({ length: 50 }, (_, index) => index);
  const inputs = (index: number, verifyJwt: boolean, text = "one") => ({
    projectRef: ref,
    slug: `function-${index}`,
    verifyJwt,
    files: { "index.ts": `// ${text} ${index}` },
  });
  const createAll = () => Promise.all(fifty.map((index) => functions.create(inputs(index, true))));

  it("fifty functions are made with one deploy each between two listings, within one minute", async () => {
    const began = scenario.clock.now();
    await createAll();
    expect(scenario.emulator.world.state.projects.get(ref)?.functions.size).toBe(50);
    expect(scenario.calls("listFunctions")).toBe(2);
    expect(scenario.calls("deployFunction")).toBe(50);
    // An empty list is one call more, which shows that the project is active.
    expect(scenario.calls("getProject")).toBe(1);
    expect(scenario.calls()).toBe(53);
    expect(scenario.clock.now() - began).toBeLessThan(60_000);
    expect(scenario.emulator.control.countCalls({ status: 429 })).toBe(0);
  });

  it("unchanged ones are not sent: of fifty, only the three that changed are deployed", async () => {
    const all = await createAll();
    scenario.nextRun();
    scenario.emulator.control.clearCalls();
    const wanted = fifty.map((index) => inputs(index, true, index < 3 ? "two" : "one"));
    const due = all.flatMap((made, index) => {
      const changed = wanted[index] ?? {};
      return functions.diff(made.state, changed).changes ? [functions.update(made, changed)] : [];
    });
    await Promise.all(due);
    expect(scenario.calls("deployFunction")).toBe(3);
    expect(scenario.calls()).toBe(5);
  });

  it("a change of all fifty that needs no upload leaves in one bulk call", async () => {
    const all = await createAll();
    scenario.nextRun();
    scenario.emulator.control.clearCalls();
    await Promise.all(all.map((made, index) => functions.update(made, inputs(index, false))));
    const onService = [...(scenario.emulator.world.state.projects.get(ref)?.functions.values() ?? [])];
    expect(onService.map(({ verifyJwt }) => verifyJwt)).toEqual(fifty.map(() => false));
    expect([scenario.calls("updateFunctions"), scenario.calls()]).toEqual([1, 4]);
  });

  it("a refresh of fifty is one call", async () => {
    const all = await createAll();
    scenario.nextRun();
    scenario.emulator.control.clearCalls();
    await Promise.all(all.map((made) => functions.read(made)));
    expect(scenario.calls()).toBe(1);
  });
});

describe("a listing that leaves out what tells one deploy from another", () => {
  const listedWithout = (field: "id" | "version"): void => {
    const body = scenario.emulator.control
      .call("listFunctions", { ref })
      .map((each) => ({ ...each, [field]: undefined }));
    scenario.emulator.control.addFault({ operation: "listFunctions", status: 200, body, times: 1 });
  };

  it("takes no version that shows again for a deploy without an answer", async () => {
    const made = await functions.create(declared());
    scenario.nextRun();
    listedWithout("version");
    scenario.emulator.control.addFault({ operation: "deployFunction", drop: "before" });
    await functions.update(made, declared({ files: { "index.ts": "two" } }));
    expect(uploaded()).toEqual({ "index.ts": "two" });
  });

  it("takes no function without its id for another one that came after a delete", async () => {
    const made = await functions.create(declared());
    scenario.nextRun();
    await functions.read(made);
    scenario.emulator.control.addFault({ operation: "deleteFunction", status: 200, body: {}, times: 1 });
    listedWithout("id");
    await functions.delete(made);
    expect(onService()).toBeUndefined();
  });
});

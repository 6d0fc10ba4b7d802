import { checkInputs } from "../../../provider/engine/check";
import { diffAt } from "../../../provider/engine/diff";
import { importResource } from "../../../provider/engine/import";
import type { Values } from "../../../provider/define/values";
import type { ReadResult } from "../../../provider/engine/read";
import { edgeFunction } from "../../../provider/resources/functions/edge-function/edge-function";
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

type Content = string | Uint8Array<ArrayBuffer>;
interface Metadata {
  readonly entrypoint_path?: string;
  readonly import_map_path?: string;
}

/** A function that somebody else deployed. */
function deployed(files: Readonly<Record<string, Content>>, metadata: Metadata = {}): void {
  const file = Object.entries(files).map(([name, content]) => ({
    name,
    content: typeof content === "string" ? new TextEncoder().encode(content) : content,
  }));
  scenario.emulator.control.call("deployFunction", {
    ref,
    slug: "hello",
    body: { file, metadata: { entrypoint_path: "index.ts", ...metadata } },
  });
}

async function imported(isManaged = true): Promise<ReadResult> {
  scenario.nextRun();
  const read = await importResource(scenario.runtime, edgeFunction, `${ref}/hello`, isManaged);
  if (read === undefined) throw new Error("there is no such function");
  return read;
}

/** What the generated program declares: what check computes is not in it. */
const programOf = ({ inputs }: ReadResult): Values =>
  Object.fromEntries(Object.entries(inputs).filter(([name]) => name !== "sourceHash"));
const change = (read: ReadResult): Values => ({
  ...programOf(read),
  files: { ...(read.inputs["files"] as Values), "index.ts": "changed" },
});

// service, Edge functions: the source can be read back.
describe("an import of an edge function", () => {
  it("declares its source, and neither a preview nor a refresh shows a change of it", async () => {
    const files = {
      "index.ts": 'import { text } from "./lib/text.ts";\r\nconst at = `${text}`;\n',
      "lib/text.ts": "\uFEFFexport const text = 'ü\u2028\\n\t';",
    };
    deployed(files);
    const read = await imported();
    expect(programOf(read)).toEqual({ projectRef: ref, slug: "hello", files });
    expect(functions.diff(read.state, programOf(read)).changes).toBe(false);

    scenario.nextRun();
    scenario.emulator.control.clearCalls();
    const refreshed = await functions.read(read);
    expect(functions.diff(refreshed?.state ?? {}, programOf(read)).changes).toBe(false);
    expect(scenario.emulator.control.calls().map(({ operation }) => operation)).toEqual(["listFunctions"]);

    expect([...functions.diff(read.state, change(read)).changed]).toEqual(["sourceHash"]);
    await functions.update(read, change(read));
    expect(scenario.emulator.control.call("listFunctions", { ref })).toMatchObject([{ version: 2 }]);
  });

  it("sees a deploy by others as drift, as of any function", async () => {
    deployed({ "index.ts": "one" });
    const read = await imported();
    deployed({ "index.ts": "two" });
    scenario.nextRun();
    const refreshed = await functions.read(read);
    expect(refreshed?.inputs).toMatchObject({
      sourceHash: "changed outside: version 2",
      files: { "index.ts": "one" },
    });
  });

  it("has the same hash as the folder that was deployed, whatever the entrypoint and the import map", async () => {
    source.write({
      "functions/hello/main.ts": 'import { cors } from "../_shared/cors.ts";',
      "functions/hello/map.json": "{}",
      "functions/_shared/cors.ts": "export const cors = {};",
    });
    await functions.create({
      projectRef: ref,
      slug: "hello",
      sourceDir: source.path("functions/hello"),
      entrypointPath: "main.ts",
      importMapPath: "map.json",
    });
    const read = await imported();
    expect(programOf(read)).toMatchObject({
      entrypointPath: "hello/main.ts",
      importMapPath: "hello/map.json",
    });
    expect(functions.diff(read.state, programOf(read)).changes).toBe(false);
    const { files, ...rest } = programOf(read);
    source.write(
      Object.fromEntries(
        Object.entries(files as Values).map(([path, text]) => [`read/${path}`, String(text)]),
      ),
    );
    const inFolder = { ...rest, sourceDir: source.path("read") };
    expect([...functions.diff(read.state, inFolder).changed]).toEqual([]);
  });

  it("leaves out an import map that is the usual one", async () => {
    deployed({ "index.ts": "one", "deno.json": "{}" }, { import_map_path: "deno.json" });
    const read = await imported();
    expect(Object.keys(programOf(read)).sort()).toEqual(["files", "projectRef", "slug"]);
    expect(scenario.warnings).toEqual([]);
  });

  it.each<[what: string, prepare: () => void, why: string]>([
    [
      "a file that is no text",
      () => deployed({ "index.ts": "one", "logo.png": Uint8Array.of(0x89, 0x50, 0xff) }),
      "logo.png is not text",
    ],
    ["a text with a zero in it", () => deployed({ "index.ts": "one\0" }), "index.ts is not text"],
    [
      "more than 256 KiB",
      () => deployed({ "index.ts": "x".repeat(200 * 1024), "more.ts": "x".repeat(60 * 1024) }),
      "its files have 266240 bytes, and at most 262144 can be imported",
    ],
    [
      "a file that would become its import map",
      () => deployed({ "index.ts": "one", "deno.json": "{}" }),
      "it has no import map, but a deploy would use deno.json as one",
    ],
    [
      "a path that leads elsewhere",
      () => deployed({ "index.ts": "one", "../lib.ts": "two" }),
      "must be relative",
    ],
    [
      "no parts",
      () => {
        deployed({ "index.ts": "one" });
        scenario.emulator.control.addFault({ operation: "getFunctionBody", status: 200, body: {} });
      },
      "its form is application/json",
    ],
    [
      "no source",
      () => {
        deployed({ "index.ts": "one" });
        scenario.emulator.control.addFault({ operation: "getFunctionBody", status: 404 });
      },
      "the service has none",
    ],
  ])("comes without its source where that has %s, and says why", async (_, prepare, why) => {
    prepare();
    const read = await imported();
    expect(programOf(read)).toEqual({ projectRef: ref, slug: "hello" });
    expect(scenario.warnings.join("\n")).toContain("the source was not imported: ");
    expect(scenario.warnings.join("\n")).toContain(why);
    expect(functions.diff(read.state, { ...programOf(read), files: { "index.ts": "one" } }).changes).toBe(
      true,
    );
  });

  // `import_map_path: ""` means none (service, Edge functions); `import_map` may be left out.
  it("declares no import map that the service tells as none, and leaves the function as it is", async () => {
    deployed({ "index.ts": "one", "deno.json": "{}" });
    const listed = scenario.emulator.control.call("listFunctions", { ref });
    const body = listed.map((each) => ({ ...each, import_map: undefined, import_map_path: "" }));
    scenario.emulator.control.addFault({ operation: "listFunctions", status: 200, body });
    const read = await imported();
    expect(programOf(read)).toEqual({ projectRef: ref, slug: "hello" });
    expect(scenario.warnings.join("\n")).toContain(
      "it has no import map, but a deploy would use deno.json as one",
    );
    const { inputs, failures } = checkInputs(edgeFunction, programOf(read), read.inputs);
    expect(failures).toEqual([]);
    expect(diffAt(edgeFunction, read.state, inputs, scenario.clock.now()).changes).toBe(false);
    expect(scenario.emulator.control.call("listFunctions", { ref })).toEqual(listed);
  });

  it("takes the usual file for the import map where the service tells that there is one, not which", async () => {
    deployed({ "index.ts": "one", "deno.json": "{}" }, { import_map_path: "deno.json" });
    const listed = scenario.emulator.control.call("listFunctions", { ref });
    const body = listed.map((each) => ({ ...each, import_map_path: "" }));
    scenario.emulator.control.addFault({ operation: "listFunctions", status: 200, body });
    expect(Object.keys(programOf(await imported())).sort()).toEqual(["files", "projectRef", "slug"]);
    expect(scenario.warnings).toEqual([]);
  });

  it("takes a source of 256 KiB", async () => {
    const files = { "index.ts": "x".repeat(256 * 1024) };
    deployed(files);
    expect(programOf(await imported())).toEqual({ projectRef: ref, slug: "hello", files });
  });

  it.each(["hello/deno.json", "./hello/deno.json", "file:///tmp/user_fn/source/hello/deno.json"])(
    "finds the import map that the service tells as %s",
    async (told) => {
      deployed({ "index.ts": "one", "hello/deno.json": "{}" }, { import_map_path: "hello/deno.json" });
      scenario.emulator.control.edit(({ projects }) => {
        const record = projects.get(ref)?.functions.get("hello");
        if (record) record.importMapPath = told;
      });
      expect(programOf(await imported())).toMatchObject({ importMapPath: "hello/deno.json" });
    },
  );

  it("tells of two dollar signs in a row, which the engine does not write for YAML as it should", async () => {
    deployed({ "index.ts": "one", "lib/price.ts": "`$${1}`" });
    expect(programOf(await imported())).toMatchObject({ files: { "lib/price.ts": "`$${1}`" } });
    expect(scenario.warnings.join("\n")).toContain("lib/price.ts has two dollar signs in a row");
  });

  it("fails where the service does, and may be tried again", async () => {
    deployed({ "index.ts": "one" });
    scenario.emulator.control.addFault({ operation: "getFunctionBody", status: 403 });
    await expect(imported()).rejects.toThrow("getFunctionBody");
    expect(programOf(await imported())).toMatchObject({ files: { "index.ts": "one" } });
  });

  it("asks for no source where a program only looks it up", async () => {
    deployed({ "index.ts": "one" });
    expect((await imported(false)).inputs).toEqual({ projectRef: ref, slug: "hello" });
    expect(scenario.calls("getFunctionBody")).toBe(0);
  });
});

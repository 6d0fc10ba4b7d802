import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator, type Emulator } from "../../../../../emulator";
import { sha256Hex } from "../../../../../emulator/service/world/derived-bytes";
import { createRulesWorld, type RulesWorld } from "../rules-world";

const file = (name: string, text: string) => ({ name, content: new TextEncoder().encode(text) });

describe("the code of an edge function", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
  });
  const bodyOf = (slug = "hello"): Uint8Array =>
    service.call("getFunctionBody", { ref, function_slug: slug });
  const textOf = (slug?: string): string => new TextDecoder().decode(bodyOf(slug));
  const bundle = Uint8Array.of(0, 1, 2, 255);

  it("comes back as the text that it was created with", () => {
    const body = { slug: "hello", name: "Hello", body: "Deno.serve()", verify_jwt: false };
    const created = service.call("createFunction", { ref, body });
    expect(created).toMatchObject({ slug: "hello", name: "Hello", version: 1, verify_jwt: false });
    expect(created.ezbr_sha256).toBe(sha256Hex("Deno.serve()"));
    expect(service.call("listFunctions", { ref })).toEqual([created]);
    expect(textOf()).toBe("Deno.serve()");
  });

  it("comes back as the bundle that it was created with, described by the query", () => {
    const query = { slug: "hello", name: "Hello", import_map_path: "deno.json", ezbr_sha256: "given" };
    const created = service.call("createFunction", { ref, ...query, body: bundle });
    expect(created).toMatchObject({
      name: "Hello",
      import_map: true,
      verify_jwt: true,
      ezbr_sha256: "given",
    });
    expect(bodyOf()).toEqual(bundle);
  });

  it("is not replaced by a second creation, and needs a slug", () => {
    service.call("createFunction", { ref, slug: "hello", body: bundle });
    const again = { slug: "hello", name: "Other", body: "other" };
    expect(service.refusal("createFunction", { ref, body: again })).toBe(
      "409 A function with the slug hello exists already",
    );
    expect(bodyOf()).toEqual(bundle);
    expect(service.refusal("createFunction", { ref, body: bundle })).toMatch(/^400 slug: Required/);
    service.world.state.functionQuotas.pro = 1;
    expect(service.refusal("createFunction", { ref, slug: "second", body: bundle })).toMatch(/^402/);
  });

  it("is replaced by bytes or by text, either of which raises the version", () => {
    service.call("createFunction", { ref, slug: "hello", body: bundle });
    const changed = Uint8Array.of(9);
    const update = { ref, function_slug: "hello" };
    expect(service.call("updateFunction", { ...update, body: changed })).toMatchObject({
      version: 2,
      ezbr_sha256: sha256Hex(changed),
    });
    expect(bodyOf()).toEqual(changed);
    expect(service.call("updateFunction", { ...update, body: { body: "text" } }).version).toBe(3);
    expect(textOf()).toBe("text");
  });

  it("comes back as an archive of all files after a deploy, with the function's checksum", () => {
    const long = `${"deep/".repeat(40)}ü.ts`;
    const files = [file("./index.ts", "one"), file(long, "two"), file("empty.txt", "")];
    const deployed = service.call("deployFunction", {
      ref,
      slug: "hello",
      body: { metadata: { entrypoint_path: "index.ts" }, file: files },
    });
    expect(sha256Hex(bodyOf())).toBe(deployed.ezbr_sha256);
    const folder = mkdtempSync(join(tmpdir(), "function-code-"));
    try {
      execFileSync("tar", ["-x", "-C", folder], { input: bodyOf() });
      const read = (path: string): string => readFileSync(join(folder, path), "utf8");
      expect([read("index.ts"), read(long), read("empty.txt")]).toEqual(["one", "two", ""]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("is deployed without an import map where its path is empty (service, Edge functions)", () => {
    const metadata = { entrypoint_path: "index.ts", import_map_path: "" };
    const body = { metadata, file: [file("index.ts", "one")] };
    const deployed = service.call("deployFunction", { ref, slug: "hello", body });
    expect(deployed.import_map).toBe(false);
    expect(deployed).not.toHaveProperty("import_map_path");
  });

  it.each([
    ['import "./missing.ts";', "./missing.ts"],
    ['export * from "../_shared/cors.ts";', "../_shared/cors.ts"],
    ['import "./lib/a.ts"; import "mapped/none.ts";', "mapped/none.ts"],
    ['import { z } from "zod";', "zod"],
  ])("is not bundled where %j leads to no file", (text, specifier) => {
    const files = [
      file("index.ts", text),
      file("lib/a.ts", ""),
      file("deno.json", '{ "imports": { "mapped/": "./lib/", /* elsewhere */ "hono": "npm:hono" } }'),
    ];
    const metadata = { entrypoint_path: "index.ts", import_map_path: "deno.json" };
    const deploy = { ref, slug: "hello", body: { metadata, file: files } };
    expect(service.refusal("deployFunction", deploy)).toBe(
      `400 Failed to bundle the function: index.ts imports "${specifier}", which is not found`,
    );
    expect(service.call("listFunctions", { ref })).toEqual([]);
  });

  it("is bundled where its imports lead to files or elsewhere, or are types", () => {
    const files = [
      file(
        "hello/index.ts",
        [
          'import "../_shared/cors.ts"; import "mapped/a.ts"; import "scoped"; import "hono/cors"; import "chalk";',
          'import "npm:zod"; import "node:fs"; import type { A } from "./none.ts"; // import "./none.ts"',
          'await import("./later.ts");',
        ].join("\n"),
      ),
      file("_shared/cors.ts", "export {}"),
      file("lib/a.ts", ""),
      file("package.json", '{ "dependencies": { "chalk": "5" } }'),
      file("hello/deno.json", '{ "importMap": "../map.json", "imports": { "hono": "npm:hono@4" } }'),
      file(
        "map.json",
        '{ "imports": { "mapped/": "./lib/" }, "scopes": { "./hello/": { "scoped": "./lib/a.ts" } } }',
      ),
      file("hello/page.tsx", "<p>Don't</p>"),
    ];
    const metadata = { entrypoint_path: "hello/index.ts", import_map_path: "hello/deno.json" };
    const deploy = { ref, slug: "hello", body: { metadata, file: files } };
    expect(service.call("deployFunction", deploy).version).toBe(1);
  });

  it("is bundled with what its configuration allows beyond the standard", () => {
    const files = [
      file("index.ts", 'import "./lib"; import "./text"; import "fs";'),
      file("lib/index.ts", ""),
      file("text.ts", ""),
    ];
    const deploy = (config: string) => ({
      ref,
      slug: "hello",
      body: {
        metadata: { entrypoint_path: "index.ts", import_map_path: "deno.json" },
        file: [...files, file("deno.json", config)],
      },
    });
    expect(service.refusal("deployFunction", deploy("{}"))).toContain('index.ts imports "./lib"');
    const config = '{ "unstable": ["sloppy-imports", "bare-node-builtins"] }';
    expect(service.call("deployFunction", deploy(config)).version).toBe(1);
  });

  it("is unknown for a function that was only described", () => {
    const record = { id: "made-up", slug: "hello", name: "hello", status: "ACTIVE" as const, version: 1 };
    service.call("updateFunctions", { ref, body: [record] });
    expect(service.refusal("getFunctionBody", { ref, function_slug: "hello" })).toBe(
      "404 No code was uploaded for the function hello",
    );
    expect(service.refusal("getFunctionBody", { ref, function_slug: "other" })).toBe(
      "404 Function not found",
    );
  });

  it("keeps the state that control gives the function", () => {
    service.call("createFunction", { ref, slug: "hello", body: bundle });
    const record = service.projectRecord(ref).functions.get("hello");
    for (const status of ["THROTTLED", "REMOVED"] as const) {
      if (record) record.status = status;
      expect(service.call("getFunction", { ref, function_slug: "hello" }).status).toBe(status);
    }
  });
});

async function partsOf(answer: Response): Promise<FormData> {
  // oxlint-disable-next-line typescript/no-deprecated -- only streaming needs more; these answers are small
  return answer.formData();
}

describe("a bundle on the wire", () => {
  let emulator: Emulator;
  beforeEach(async () => {
    emulator = await startEmulator({ pace: 0 });
  });
  afterEach(() => emulator.close());

  it("goes up in its own content type and comes down as bytes", async () => {
    const body = { name: "shop", organization_slug: "acme", db_pass: "a-password" };
    const { ref } = emulator.control.call("createProject", { body });
    const url = `${emulator.url}/v1/projects/${ref}/functions`;
    const authorization = `Bearer ${emulator.accessToken}`;
    const bytes = Uint8Array.of(0x45, 0x5a, 0, 200);
    const made = await fetch(`${url}?slug=hello&verify_jwt=false`, {
      method: "POST",
      headers: { authorization, "content-type": "application/vnd.denoland.eszip" },
      body: bytes,
    });
    expect([made.status, await made.json()]).toEqual([
      201,
      expect.objectContaining({ slug: "hello", verify_jwt: false, ezbr_sha256: sha256Hex(bytes) }),
    ]);
    const answer = await fetch(`${url}/hello/body`, { headers: { authorization } });
    expect(answer.headers.get("content-type")).toBe("application/octet-stream");
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
    expect(emulator.control.internalErrors).toEqual([]);
  });

  // service, Edge functions.
  it("comes down in the parts that it was deployed in, and its deletion answers a message", async () => {
    const { control } = emulator;
    const project = { name: "shop", organization_slug: "acme", db_pass: "a-password" };
    const { ref } = control.call("createProject", { body: project });
    const files = { "index.ts": "one", 'lib/"quoted" ü.ts': "\r\n--two\r\n" };
    const body = {
      metadata: { entrypoint_path: "./index.ts" },
      file: Object.entries(files).map(([name, text]) => file(name, text)),
    };
    control.call("deployFunction", { ref, slug: "hello", body });
    const url = `${emulator.url}/v1/projects/${ref}/functions/hello`;
    const authorization = `Bearer ${emulator.accessToken}`;
    const answer = await fetch(`${url}/body`, { headers: { authorization, accept: "multipart/form-data" } });
    const parts = await partsOf(answer);
    expect(parts.get("metadata")).toBe('{"deno2_entrypoint_path":"index.ts"}');
    const sources = parts.getAll("file").flatMap((part) => (typeof part === "string" ? [] : [part]));
    const read = await Promise.all(sources.map(async (part) => [part.name, await part.text()] as const));
    expect(Object.fromEntries(read)).toEqual(files);
    const removed = await fetch(url, { method: "DELETE", headers: { authorization } });
    expect(await removed.json()).toEqual({ message: "ok" });
    expect(control.internalErrors).toEqual([]);
  });

  it("comes down as one file where it went up in one piece", async () => {
    const project = { name: "shop", organization_slug: "acme", db_pass: "a-password" };
    const { ref } = emulator.control.call("createProject", { body: project });
    emulator.control.call("createFunction", {
      ref,
      body: { slug: "hello", name: "hello", body: "Deno.serve()" },
    });
    const answer = await fetch(`${emulator.url}/v1/projects/${ref}/functions/hello/body`, {
      headers: { authorization: `Bearer ${emulator.accessToken}`, accept: "multipart/form-data, */*;q=0.1" },
    });
    const [source] = (await partsOf(answer)).getAll("file");
    if (typeof source === "string" || source === undefined) throw new Error("No file came back");
    expect([source.name, await source.text()]).toEqual(["index.ts", "Deno.serve()"]);
  });
});

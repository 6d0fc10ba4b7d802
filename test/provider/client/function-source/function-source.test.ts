import { startEmulator } from "../../../../emulator";
import { ManagementClient, ResponseSchemaError } from "../../../../provider/client";
import type { Responder } from "../http-service";
import { closeAll, failureOf, REF, setUp } from "../setup";

afterEach(closeAll);

const BOUNDARY = "formdata-0123456789abcdef0123456789abcdef";
const CONTENT_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A part as it is on the wire: its disposition beyond `form-data`, and its content. */
type Part = readonly [disposition: string, content: string];
const METADATA: Part = ['name="metadata"', '{"deno2_entrypoint_path":"index.ts"}'];
const INDEX: Part = ['name="file"; filename="index.ts"', "one"];

const bodyOf = (parts: readonly Part[]): string =>
  parts
    .map(
      ([disposition, content]) =>
        `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`,
    )
    .join("") + `--${BOUNDARY}--\r\n`;

const answering =
  (body: string, contentType = CONTENT_TYPE): Responder =>
  () => ({ status: 200, body: Buffer.from(body), headers: { "content-type": contentType } });

async function read(respond: Responder) {
  const { client } = await setUp(respond);
  return client.parts.getFunctionBody({ ref: REF, function_slug: "hello" });
}

// service, Edge functions.
describe("the source of a function", () => {
  it("comes with the paths, the bytes, the entrypoint and the metadata that the service has", async () => {
    const parts: Part[] = [
      ['name="metadata"', '{"deno2_entrypoint_path":"lib/main.ts","later":{"key":1}}'],
      ['name="file"; filename="lib/main.ts"', "\r\n--one\r\n"],
      ['name="file"; filename="lib/%22quoted%22 ü.ts"', "ü"],
      ['name="file"; filename="empty.txt"', ""],
    ];
    const source = await read(answering(bodyOf(parts)));
    expect(source.entrypointPath).toBe("lib/main.ts");
    expect(source.metadata).toEqual({ deno2_entrypoint_path: "lib/main.ts", later: { key: 1 } });
    expect(source.files.map(({ name, content }) => [name, Buffer.from(content).toString()])).toEqual([
      ["lib/main.ts", "\r\n--one\r\n"],
      ['lib/"quoted" ü.ts', "ü"],
      ["empty.txt", ""],
    ]);
  });

  it("is asked for in parts", async () => {
    const { client, service } = await setUp(answering(bodyOf([METADATA, INDEX])));
    await client.parts.getFunctionBody({ ref: REF, function_slug: "hello" });
    expect(
      service.requests.map(({ method, url, headers }) => [method, url.pathname, headers.accept]),
    ).toEqual([["GET", `/v1/projects/${REF}/functions/hello/body`, "multipart/form-data"]]);
  });

  it.each([
    ["./index.ts", "index.ts"],
    ["/index.ts", "index.ts"],
    ["file:///tmp/user_fn_1/source/index.ts", "source/index.ts"],
    ["/tmp/user_fn_1/source/lib/index.ts", "lib/index.ts"],
  ])("begins at the file that the entrypoint %s means", async (told, path) => {
    const names = ["index.ts", "source/index.ts", "lib/index.ts"];
    const files = names.map((name): Part => [`name="file"; filename="${name}"`, name]);
    const metadata: Part = ['name="metadata"', JSON.stringify({ deno2_entrypoint_path: told })];
    expect((await read(answering(bodyOf([metadata, ...files])))).entrypointPath).toBe(path);
  });

  it.each<[what: string, respond: Responder, said: string]>([
    [
      "an answer in one piece",
      answering("EZ", "application/octet-stream"),
      "its form is application/octet-stream",
    ],
    ["a boundary that is not there", answering("nothing"), "no boundary found"],
    ["half an answer", answering(bodyOf([METADATA, INDEX]).slice(0, -50)), "cannot be separated"],
    ["no metadata", answering(bodyOf([INDEX])), "no part `metadata`"],
    ["metadata twice", answering(bodyOf([METADATA, METADATA, INDEX])), "2 parts `metadata`"],
    ["metadata that is no JSON", answering(bodyOf([['name="metadata"', "{"], INDEX])), "not a JSON object"],
    [
      "metadata without an entrypoint",
      answering(bodyOf([['name="metadata"', "{}"], INDEX])),
      "deno2_entrypoint_path",
    ],
    ["no files", answering(bodyOf([METADATA])), "it has no files"],
    [
      "a file without a path",
      answering(bodyOf([METADATA, INDEX, ['name="file"', "two"]])),
      "`file` has no file name",
    ],
    ["a file twice", answering(bodyOf([METADATA, INDEX, INDEX])), "the file index.ts twice"],
    [
      "an entrypoint that is not among the files",
      answering(bodyOf([['name="metadata"', '{"deno2_entrypoint_path":"lib/index.ts"}'], INDEX])),
      "its entrypoint lib/index.ts is not among its files: index.ts",
    ],
  ])("is an error that says what is odd, with %s", async (_, respond, said) => {
    const failure = await failureOf(read(respond));
    expect(failure).toBeInstanceOf(ResponseSchemaError);
    expect(failure.message).toMatch(/^getFunctionBody: the function's source cannot be read/);
    expect(failure.message).toContain(said);
  });

  it("can be deployed again as it is", async () => {
    const emulator = await startEmulator({ pace: 0 });
    const client = new ManagementClient({ baseUrl: emulator.url, accessToken: emulator.accessToken });
    try {
      const project = { name: "shop", organization_slug: "acme", db_pass: "a-password" };
      const { ref } = emulator.control.call("createProject", { body: project });
      const file = [
        { name: "hello/index.ts", content: Uint8Array.from([0xef, 0xbb, 0xbf, 0x31]) },
        { name: "_shared/logo.png", content: Uint8Array.from([0, 255, 13, 10, 45, 45]) },
      ];
      const metadata = { entrypoint_path: "hello/index.ts" };
      const first = await client.deployFunction({ ref, slug: "hello", body: { file, metadata } });
      const { files, entrypointPath } = await client.parts.getFunctionBody({ ref, function_slug: "hello" });
      expect(files).toEqual(file);
      const body = { file: [...files], metadata: { entrypoint_path: entrypointPath } };
      const second = await client.deployFunction({ ref, slug: "other", body });
      expect(second.ezbr_sha256).toBe(first.ezbr_sha256);
    } finally {
      await client.close();
      await emulator.close();
    }
  });
});

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { findPackageRoot } from "../../tools/engine/package-root";
import { buildPlugin } from "../../tools/build-plugin";

describe("the bundled plugin", () => {
  let folder: string;
  let file: string;
  let child: ChildProcess | undefined;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "management-bundle-"));
    file = await buildPlugin(folder);
  });
  afterEach(() => child?.kill("SIGKILL"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Started away from the repository, with the port as its first line. */
  async function start(): Promise<{ client: ResourceProviderClient; ended: Promise<unknown> }> {
    const started = spawn(process.execPath, [file], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
    child = started;
    const ended = once(started, "exit");
    const [line] = (await once(createInterface({ input: started.stdout }), "line")) as [string];
    expect(line).toMatch(/^\d+$/);
    return { client: new ResourceProviderClient(`127.0.0.1:${line}`, credentials.createInsecure()), ended };
  }

  function answerOf<A>(ask: (done: (error: Error | null, answer: A) => void) => void): Promise<A> {
    return new Promise((resolve, reject) =>
      ask((error, answer) => (error === null ? resolve(answer) : reject(error))),
    );
  }

  it("tells its version and its schema, and checks inputs, with nothing but its one file", async () => {
    const { client } = await start();
    const root = findPackageRoot();
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    const info = await answerOf<{ getVersion(): string }>((done) => client.getPluginInfo(new Empty(), done));
    expect(info.getVersion()).toBe(version);
    const schema = await answerOf<proto.GetSchemaResponse>((done) =>
      client.getSchema(new proto.GetSchemaRequest(), done),
    );
    expect(JSON.parse(schema.getSchema())).toEqual(
      JSON.parse(readFileSync(join(root, "schema.json"), "utf8")),
    );
    const request = new proto.CheckRequest();
    request.setUrn("urn:pulumi:dev::shop::management:index:Project::app");
    const checked = await answerOf<proto.CheckResponse>((done) => client.check(request, done));
    expect(checked.getFailuresList().map((failure) => failure.getProperty())).toContain("organizationSlug");
    client.close();
  });

  it("ends when the engine, which is done, interrupts it: the engine would wait five seconds for it", async () => {
    const { client, ended } = await start();
    client.close();
    child?.kill("SIGINT");
    expect(await ended).toEqual([null, "SIGINT"]);
  });

  it("answers what it does not offer as unimplemented", async () => {
    const { client } = await start();
    const calling = answerOf((done) => client.getMapping(new proto.GetMappingRequest(), done));
    await expect(calling).rejects.toThrow(/UNIMPLEMENTED/);
    client.close();
  });
});

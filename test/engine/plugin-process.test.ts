import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { findPackageRoot } from "../../tools/engine/package-root";
import { PLUGIN_FOLDER } from "./plugin-stack";

describe("the bundled plugin", () => {
  let folder: string;
  let file: string;
  let child: ChildProcess | undefined;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "management-bundle-"));
    file = join(folder, "pulumi-resource-management");
    copyFileSync(join(PLUGIN_FOLDER, "pulumi-resource-management"), file);
  });
  afterEach(() => child?.kill("SIGKILL"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Started away from the repository, with the port as its first line. */
  async function start(
    env: Readonly<Record<string, string>> = {},
  ): Promise<{ client: ResourceProviderClient; port: number; ended: Promise<unknown> }> {
    const started = spawn(process.execPath, [file], {
      cwd: folder,
      env: { ...process.env, XDG_STATE_HOME: folder, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    child = started;
    const ended = once(started, "exit");
    const [line] = (await once(createInterface({ input: started.stdout }), "line")) as [string];
    expect(line).toMatch(/^\d+$/);
    const client = new ResourceProviderClient(`127.0.0.1:${line}`, credentials.createInsecure());
    return { client, port: Number(line), ended };
  }

  async function portOf(server: Server): Promise<number> {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (typeof address !== "object" || address === null) throw new Error("The server listens on no port");
    return address.port;
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

  it("ends at once when its engine is gone in the middle of a create: the journal knows what was begun", async () => {
    const asked = Promise.withResolvers<undefined>();
    const silent = createHttpServer(() => asked.resolve(undefined));
    const { client, port, ended } = await start({
      MANAGEMENT_BASE_URL: `http://127.0.0.1:${await portOf(silent)}`,
      MANAGEMENT_ACCESS_TOKEN: "pat_of_the_test",
    });
    client.close();
    // The engine's end of the connection, which breaks as it does when the engine is killed.
    const sockets: Socket[] = [];
    const engine = createServer((socket) => {
      const toPlugin = connect(port, "127.0.0.1");
      sockets.push(socket, toPlugin);
      for (const end of [socket, toPlugin]) end.on("error", () => undefined);
      socket.pipe(toPlugin).pipe(socket);
      void asked.promise.then(() => toPlugin.destroy());
    });
    const caller = new ResourceProviderClient(
      `127.0.0.1:${await portOf(engine)}`,
      credentials.createInsecure(),
    );
    const request = new proto.CreateRequest();
    request.setUrn("urn:pulumi:dev::shop::management:index:Project::app");
    request.setProperties(
      Struct.fromJavaScript({ name: "shop", organizationSlug: "acme", dbPass: "password" }),
    );
    caller.create(request, () => undefined);
    expect(await ended).toEqual([1, null]);
    caller.close();
    engine.close();
    for (const socket of sockets) socket.destroy();
    silent.closeAllConnections();
    silent.close();
  });

  it("answers what it does not offer as unimplemented", async () => {
    const { client } = await start();
    const calling = answerOf((done) => client.getMapping(new proto.GetMappingRequest(), done));
    await expect(calling).rejects.toThrow(/UNIMPLEMENTED/);
    client.close();
  });
});

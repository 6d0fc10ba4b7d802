import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer as createHttpServer, type ServerResponse } from "node:http";
import { createServer as createHttp2Server, type ServerHttp2Session } from "node:http2";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { findPackageRoot } from "../../tools/engine/package-root";
import { PLUGIN_FOLDER } from "./plugin-stack";
import { waitUntil } from "../kit/wait-until";

describe("the bundled plugin", () => {
  let folder: string;
  let file: string;
  let child: ChildProcess | undefined;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "management-bundle-"));
    file = join(folder, "pulumi-resource-management");
    cpSync(PLUGIN_FOLDER, folder, { recursive: true });
  });
  afterEach(() => child?.kill("SIGKILL"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Started away from the repository, with the port as its first line. */
  async function start(
    env: Readonly<Record<string, string>> = {},
    args: readonly string[] = [],
  ): Promise<{ client: ResourceProviderClient; ended: Promise<unknown> }> {
    const started = spawn(process.execPath, [file, ...args], {
      cwd: folder,
      env: { ...process.env, XDG_STATE_HOME: folder, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    child = started;
    const ended = once(started, "exit");
    const [line] = (await once(createInterface({ input: started.stdout }), "line")) as [string];
    expect(line).toMatch(/^\d+$/);
    const client = new ResourceProviderClient(`127.0.0.1:${line}`, credentials.createInsecure());
    return { client, ended };
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

  it("tells its version and its schema, and checks inputs, with nothing but its own folder", async () => {
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
    expect(
      checked
        .getFailuresList()
        .map((failure) => failure.getReason())
        .join("\n"),
    ).toContain("organizationSlug");
    client.close();
  });

  describe("keeps its compiled code", () => {
    const compiledIn = (state: string): string[] =>
      readdirSync(join(state, "pulumi-management", "compile-cache"), { recursive: true, encoding: "utf8" });
    const newState = (mode: number): string => {
      const state = mkdtempSync(join(folder, "state-"));
      mkdirSync(join(state, "pulumi-management", "compile-cache"), { recursive: true });
      chmodSync(join(state, "pulumi-management", "compile-cache"), mode);
      return state;
    };

    it("for the next start, before the engine kills it", async () => {
      const state = newState(0o700);
      await start({ XDG_STATE_HOME: state });
      await waitUntil("the cache has files", () => compiledIn(state).length > 1);
    });

    it("not in a folder that others may write to", async () => {
      const state = newState(0o777);
      const { client } = await start({ XDG_STATE_HOME: state });
      client.close();
      await setTimeout(2000);
      expect(compiledIn(state)).toEqual([]);
    });

    it("nowhere where there can be no folder, and starts all the same", async () => {
      const state = join(folder, "no-folder");
      writeFileSync(state, "");
      const { client } = await start({ XDG_STATE_HOME: state });
      client.close();
    });
  });

  it("ends when the engine, which is done, interrupts it: the engine would wait five seconds for it", async () => {
    const { client, ended } = await start();
    client.close();
    child?.kill("SIGINT");
    expect(await ended).toEqual([null, "SIGINT"]);
  });

  describe("whose engine is gone in the middle of a create", () => {
    const PROJECT = { id: "p", ref: "abcdefghijklmnopqrst", organization_id: "o", name: "shop" };
    const closing: (() => void)[] = [];
    afterEach(() => {
      for (const close of closing.splice(0)) close();
    });

    /** A plugin in the middle of `createProject`, which `answer` may answer; `endEngine` ends what it takes for its engine. */
    async function startCreate(): Promise<{
      ended: Promise<unknown>;
      answer: () => void;
      endEngine: () => void;
    }> {
      const asked = Promise.withResolvers<ServerResponse>();
      const service = createHttpServer((request, response) => {
        if (request.method === "POST") asked.resolve(response);
        else response.end(JSON.stringify({ projects: [], pagination: { count: 0, limit: 100, offset: 0 } }));
      });
      const sessions = new Set<ServerHttp2Session>();
      const engine = createHttp2Server();
      engine.on("session", (session) => sessions.add(session));
      const { client, ended } = await start(
        { MANAGEMENT_BASE_URL: `http://127.0.0.1:${await portOf(service)}`, MANAGEMENT_ACCESS_TOKEN: "pat" },
        [`127.0.0.1:${await portOf(engine)}`],
      );
      closing.push(() => {
        client.close();
        service.closeAllConnections();
        service.close();
      });
      const request = new proto.CreateRequest();
      request.setUrn("urn:pulumi:dev::shop::management:index:Project::app");
      request.setProperties(
        Struct.fromJavaScript({ name: "shop", organizationSlug: "acme", dbPass: "password" }),
      );
      client.create(request, () => undefined);
      const response = await asked.promise;
      return {
        ended,
        answer: () => void response.writeHead(201).end(JSON.stringify(PROJECT)),
        endEngine: () => {
          engine.close();
          for (const session of sessions) session.destroy();
        },
      };
    }

    const journal = (): string => {
      const creates = join(folder, "pulumi-management", "creates");
      const files = readdirSync(creates, { recursive: true, encoding: "utf8" });
      return files
        .filter((name) => name.endsWith(".json"))
        .map((name) => readFileSync(join(creates, name), "utf8"))
        .join();
    };

    it("learns what it made, writes it down, and ends", async () => {
      const { ended, answer, endEngine } = await startCreate();
      endEngine();
      answer();
      expect(await ended).toEqual([1, null]);
      expect(journal()).toContain(PROJECT.ref);
    });

    it("ends all the same when the answer does not come", async () => {
      const { ended, endEngine } = await startCreate();
      endEngine();
      expect(await ended).toEqual([1, null]);
      expect(journal()).toContain('"shop"');
    });
  });

  it("answers what it does not offer as unimplemented", async () => {
    const { client } = await start();
    const calling = answerOf((done) => client.getMapping(new proto.GetMappingRequest(), done));
    await expect(calling).rejects.toThrow(/UNIMPLEMENTED/);
    client.close();
  });
});

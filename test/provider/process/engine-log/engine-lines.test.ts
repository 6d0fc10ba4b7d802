import { once } from "node:events";
import { createServer, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import * as grpc from "@grpc/grpc-js";
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { loadSdkGrpc } from "../../../../provider/dynamic/sdk-grpc";
import { createEngineLines } from "../../../../provider/process/engine-log/engine-lines";
import { watchEngine } from "../../../../provider/process/exit-with-engine";
import { type ConnectProxy, startConnectProxy } from "../../client/connect-proxy";

describe("behind a proxy", () => {
  const environment = process.env;
  const VARIABLES = ["grpc_proxy", "https_proxy", "http_proxy", "HTTPS_PROXY", "HTTP_PROXY"];

  let proxy: ConnectProxy;
  let engine: Server;
  let address: string;
  let received: Promise<string>;

  beforeEach(async () => {
    proxy = await startConnectProxy(() => ({ status: 403 }));
    const others = Object.entries(environment).filter(([name]) => !/_proxy$/i.test(name));
    const named = VARIABLES.map((name) => [name, `http://127.0.0.1:${proxy.port}`]);
    process.env = Object.fromEntries([...others, ...named]) as NodeJS.ProcessEnv;
    const arrived = Promise.withResolvers<string>();
    received = arrived.promise;
    engine = new Server();
    engine.addService(EngineService, {
      log: ({ request }: ServerUnaryCall<LogRequest, Empty>, answer: sendUnaryData<Empty>) => {
        arrived.resolve(request.getMessage());
        answer(null, new Empty());
      },
    });
    const port = await new Promise<number>((resolve, reject) => {
      engine.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      );
    });
    address = `127.0.0.1:${port}`;
  });

  afterEach(async () => {
    process.env = environment;
    engine.forceShutdown();
    await proxy.close();
  });

  it.each([
    ["the plugin", () => grpc],
    ["the dynamic provider", loadSdkGrpc],
  ])("a line of %s reaches the engine on this machine", async (_, package_) => {
    const send = createEngineLines(() => address, package_);
    await send({ urn: "", severity: "warning", message: "a line", isEphemeral: false });
    expect(await received).toBe("a line");
    expect([...proxy.targets, ...proxy.forwarded]).toEqual([]);
  });

  it("the watch over the engine connects to it", async () => {
    const watched = createServer().listen(0, "127.0.0.1");
    await once(watched, "listening");
    const reached = once(watched, "session");
    watchEngine(`127.0.0.1:${(watched.address() as AddressInfo).port}`, () => undefined);
    const [session] = (await reached) as [ServerHttp2Session];
    session.destroy();
    watched.close();
    expect([...proxy.targets, ...proxy.forwarded]).toEqual([]);
  });
});

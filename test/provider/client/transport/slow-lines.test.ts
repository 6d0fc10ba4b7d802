import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { ManagementClient, TimeoutError } from "../../../../provider/client";
import { idleTimeoutMs } from "../../../../provider/client/transport/transport";
import { fakeTimers } from "../../../kit/fake-timers";
import { REF } from "../setup";

const MEGABYTE = 1024 * 1024;
/** Much more than the operating system holds between the two ends, and not so much that the test takes long. */
const LARGE = 48 * MEGABYTE;
const REQUEST_TIMEOUT_MS = 30_000;

let timers: ReturnType<typeof fakeTimers>;
let server: Server;
let client: ManagementClient;

/** A service whose every answer the test writes, in time that the test lets pass. */
async function serve(answer: (incoming: IncomingMessage, outgoing: ServerResponse) => void): Promise<void> {
  server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  client = new ManagementClient({
    baseUrl: `http://127.0.0.1:${port}`,
    accessToken: "token-5f1c0a7e9b",
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
  });
}

beforeEach(() => {
  timers = fakeTimers();
});

afterEach(async () => {
  await client.close();
  server.closeAllConnections();
  server.close();
  jest.useRealTimers();
});

/** Takes the body as a line of 2 Mbit/s does, though without waiting; returns the bytes and the seconds that passed. */
async function takeSlowly(
  incoming: IncomingMessage,
): Promise<{ readonly bytes: number; readonly tookMs: number }> {
  let bytes = 0;
  let tookMs = 0;
  for await (const piece of incoming as AsyncIterable<Buffer>) {
    bytes += piece.length;
    const ms = piece.length / 256;
    tookMs += ms;
    timers.passMs(ms);
    await setImmediate();
  }
  return { bytes, tookMs };
}

const uploadBytes = (): Promise<unknown> =>
  // oxlint-disable-next-line typescript/no-deprecated -- the only upload of bytes
  client.createFunction({ ref: REF, slug: "large", name: "large", body: new Uint8Array(LARGE) });

const UPLOADS: readonly {
  readonly what: string;
  readonly upload: () => Promise<unknown>;
  readonly answer: string;
}[] = [
  { what: "bytes", upload: uploadBytes, answer: '{"slug":"large","id":"1"}' },
  {
    what: "files",
    upload: () =>
      client.deployFunction({
        ref: REF,
        slug: "large",
        body: {
          file: [{ name: "index.ts", content: new Uint8Array(LARGE) }],
          metadata: { entrypoint_path: "index.ts" },
        },
      }),
    answer: '{"slug":"large","id":"1"}',
  },
  {
    what: "JSON",
    upload: () => client.runQuery({ ref: REF, body: { query: "x".repeat(LARGE) } }),
    answer: "[]",
  },
];

it.each(UPLOADS)("an upload of $what takes as long as its line needs", async ({ upload, answer }) => {
  const taken = Promise.withResolvers<Awaited<ReturnType<typeof takeSlowly>>>();
  await serve((incoming, outgoing) => {
    void takeSlowly(incoming).then((body) => {
      outgoing.writeHead(201, { "content-type": "application/json" }).end(answer);
      taken.resolve(body);
    });
  });
  await upload();
  const { bytes, tookMs } = await taken.promise;
  expect(bytes).toBeGreaterThanOrEqual(LARGE);
  expect(tookMs).toBeGreaterThan(5 * REQUEST_TIMEOUT_MS);
});

it("an upload that is not taken any more ends, and may have been carried out", async () => {
  const stuck = Promise.withResolvers<undefined>();
  await serve((incoming) => {
    incoming.once("data", () => {
      incoming.pause();
      stuck.resolve(undefined);
    });
  });
  const ending = uploadBytes().catch((error: unknown) => error);
  await stuck.promise;
  const ended = new AbortController();
  void ending.then(() => ended.abort());
  // The client goes on until the operating system takes no more, and then waits for its idle timeout once.
  while (!ended.signal.aborted) {
    for (let turn = 0; turn < 1_000; turn += 1) await setImmediate();
    timers.passMs(idleTimeoutMs(REQUEST_TIMEOUT_MS, LARGE));
  }
  const failure = await ending;
  expect(failure).toBeInstanceOf(TimeoutError);
  expect(failure).toMatchObject({ requestSent: true });
});

it("a download takes as long as its line needs", async () => {
  const bytes = 8 * MEGABYTE;
  let passedMs = 0;
  const onPiece = (): void => {
    passedMs += 1_000;
    timers.passMs(1_000);
  };
  subscribe("undici:request:bodyChunkReceived", onPiece);
  await serve((_, outgoing) => {
    outgoing.writeHead(200, { "content-type": "application/octet-stream" });
    outgoing.end(Buffer.alloc(bytes, "x"));
  });
  const body = await client.getFunctionBody({ ref: REF, function_slug: "large" });
  unsubscribe("undici:request:bodyChunkReceived", onPiece);
  expect(body.byteLength).toBe(bytes);
  expect(passedMs).toBeGreaterThan(2 * REQUEST_TIMEOUT_MS);
});

it("a request of which nothing is seen ends", async () => {
  const arrived = Promise.withResolvers<undefined>();
  await serve(() => arrived.resolve(undefined));
  const body = { name: "shop", db_pass: "horse-battery", organization_slug: "acme" };
  const ending = client.createProject({ body }).catch((error: unknown) => error);
  await arrived.promise;
  timers.passMs(REQUEST_TIMEOUT_MS + 1_000);
  expect(await ending).toBeInstanceOf(TimeoutError);
});

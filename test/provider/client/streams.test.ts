import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import {
  CancelledError,
  NetworkError,
  NotFoundError,
  TimeoutError,
} from "../../../provider/client/errors/errors";
import { fakeTimers } from "../../kit/fake-timers";
import type { Reply } from "./http-service";
import { closeAll, failureOf, json, PROJECT, REF, setUp } from "./setup";

const BODY = { ref: REF, function_slug: "hello" };
const PIECE = Buffer.alloc(64 * 1024, "piece");
const MEGABYTE = 1024 * 1024;

afterEach(async () => {
  await closeAll();
  jest.useRealTimers();
});

/** An answer whose body is written by the test. */
function written(write: (outgoing: ServerResponse) => void): Reply {
  return { status: 200, headers: { "content-type": "application/octet-stream" }, write };
}

/** Writes as fast as it is read, and counts. */
function writer(total: number): { readonly reply: Reply; readonly digest: () => string; sent: number } {
  const hash = createHash("sha256");
  function* pieces(): Generator<Buffer> {
    while (source.sent < total) {
      source.sent += PIECE.length;
      hash.update(PIECE);
      yield PIECE;
    }
  }
  const source = {
    sent: 0,
    digest: () => hash.digest("hex"),
    // A reader that goes away ends the pipeline with an error, which is what it wants.
    reply: written((outgoing) => pipeline(Readable.from(pieces()), outgoing, () => undefined)),
  };
  return source;
}

async function digestOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of stream) hash.update(piece);
  return hash.digest("hex");
}

/** Reads what `written` writes at once, in however many parts it comes. */
async function readPiece(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  for (let bytes = 0; bytes < PIECE.length;) bytes += (await reader.read()).value?.length ?? 0;
}

it("gives a large body piece by piece", async () => {
  const source = writer(64 * MEGABYTE);
  const { client } = await setUp(() => source.reply);
  const digest = await digestOf(await client.stream.getFunctionBody(BODY));
  expect(source.sent).toBe(64 * MEGABYTE);
  expect(digest).toBe(source.digest());
});

it("reads no further ahead than the connection does, however slow its reader", async () => {
  const source = writer(64 * MEGABYTE);
  const { client } = await setUp(() => source.reply);
  const reader = (await client.stream.getFunctionBody(BODY)).getReader();
  await reader.read();
  for (let turn = 0; turn < 5_000; turn += 1) await setImmediate();
  expect(source.sent).toBeLessThan(24 * MEGABYTE);
  await reader.cancel();
});

it("gives logs as bytes that decode to their text", async () => {
  const text = "migrating … größer\n".repeat(10_000);
  const { client } = await setUp(() => ({
    status: 200,
    body: text,
    headers: { "content-type": "text/plain" },
  }));
  const stream = await client.stream.getActionRunLogs({ ref: REF, run_id: "1" });
  let decoded = "";
  for await (const part of stream.pipeThrough(new TextDecoderStream())) decoded += part;
  expect(decoded).toBe(text);
});

it("gives an empty body as a stream that ends", async () => {
  const { client } = await setUp(() => written((outgoing) => outgoing.end()));
  expect(await digestOf(await client.stream.getFunctionBody(BODY))).toBe(createHash("sha256").digest("hex"));
});

describe("the connection of a stream", () => {
  const oneConnection = { connections: 1 };
  const endless = written((outgoing) => outgoing.write(PIECE));

  it("is free again after its end", async () => {
    const source = writer(MEGABYTE);
    const { client } = await setUp((_, index) => (index === 0 ? source.reply : json(PROJECT)), oneConnection);
    await digestOf(await client.stream.getFunctionBody(BODY));
    expect((await client.getProject({ ref: REF })).ref).toBe(REF);
  });

  it("is free again, and closed, when its reader stops early", async () => {
    const { client, service } = await setUp(
      (_, index) => (index === 0 ? endless : json(PROJECT)),
      oneConnection,
    );
    for await (const piece of await client.stream.getFunctionBody(BODY)) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    expect((await client.getProject({ ref: REF })).ref).toBe(REF);
    expect(service.requests).toHaveLength(2);
  });

  it("is free again when it is cancelled without having been read", async () => {
    const { client } = await setUp((_, index) => (index === 0 ? endless : json(PROJECT)), oneConnection);
    await (await client.stream.getFunctionBody(BODY)).cancel();
    expect((await client.getProject({ ref: REF })).ref).toBe(REF);
  });

  it("is free again when the signal aborts between two reads", async () => {
    const cancel = new AbortController();
    const { client } = await setUp((_, index) => (index === 0 ? endless : json(PROJECT)), oneConnection);
    const stream = await client.stream.getFunctionBody(BODY, { signal: cancel.signal });
    const reader = stream.getReader();
    await reader.read();
    cancel.abort();
    expect((await client.getProject({ ref: REF })).ref).toBe(REF);
    expect(await failureOf(reader.read())).toBeInstanceOf(CancelledError);
  });

  it("is held until then: another call waits", async () => {
    const { client, service } = await setUp(
      (_, index) => (index === 0 ? endless : json(PROJECT)),
      oneConnection,
    );
    const stream = await client.stream.getFunctionBody(BODY);
    const project = client.getProject({ ref: REF });
    for (let turn = 0; turn < 100; turn += 1) await setImmediate();
    expect(service.requests).toHaveLength(1);
    await stream.cancel();
    expect((await project).ref).toBe(REF);
  });
});

describe("a stream ends with an error", () => {
  it("when it is cancelled in the middle of a read", async () => {
    const cancel = new AbortController();
    const { client } = await setUp(() => written((outgoing) => outgoing.write(PIECE)));
    const stream = await client.stream.getFunctionBody(BODY, { signal: cancel.signal });
    const reading = failureOf(digestOf(stream));
    await setImmediate();
    cancel.abort();
    const failure = await reading;
    expect(failure).toBeInstanceOf(CancelledError);
    expect(failure.message).toBe("getFunctionBody was cancelled while reading the answer.");
  });

  it("when the service dies after the first piece, and the request is not repeated", async () => {
    const { client, service } = await setUp(() =>
      written((outgoing) => outgoing.write(PIECE, () => outgoing.destroy())),
    );
    const failure = await failureOf(digestOf(await client.stream.getFunctionBody(BODY)));
    expect(failure).toBeInstanceOf(NetworkError);
    expect(failure.message).toMatch(
      /^getFunctionBody stopped after 65536 bytes: the connection broke \(\w+\)\. The received data is incomplete/,
    );
    expect(service.requests).toHaveLength(1);
  });

  it("when fewer bytes come than were announced", async () => {
    const { client } = await setUp(() => ({
      ...written((outgoing) => outgoing.write("half", () => outgoing.socket?.end())),
      headers: { "content-length": "8" },
    }));
    expect(await failureOf(digestOf(await client.stream.getFunctionBody(BODY)))).toBeInstanceOf(NetworkError);
  });

  it("when nothing more comes", async () => {
    const { passMs } = fakeTimers();
    const { client } = await setUp(() => written((outgoing) => outgoing.write(PIECE)), {
      requestTimeoutMs: 20_000,
    });
    const reader = (await client.stream.getFunctionBody(BODY)).getReader();
    await readPiece(reader);
    const ending = failureOf(reader.read());
    passMs(21_000);
    const failure = await ending;
    expect(failure).toBeInstanceOf(TimeoutError);
    expect(failure.message).toContain("no more data arrived in time");
  });

  it("at the call's deadline", async () => {
    const { passMs } = fakeTimers();
    const { client, clock } = await setUp(() => written((outgoing) => outgoing.write(PIECE)));
    const stream = await client.stream.getFunctionBody(BODY, { deadlineMs: clock.now() + 10_000 });
    const ending = failureOf(digestOf(stream));
    passMs(10_000);
    const failure = await ending;
    expect(failure).toBeInstanceOf(TimeoutError);
    expect(failure.message).toContain("timed out while");
  });

  it("when the client is closed", async () => {
    const { client } = await setUp(() => written((outgoing) => outgoing.write(PIECE)));
    const reading = failureOf(digestOf(await client.stream.getFunctionBody(BODY)));
    await client.close();
    expect(await reading).toBeInstanceOf(CancelledError);
  });
});

describe("before the first piece", () => {
  it("a request is repeated that got an error or a broken connection", async () => {
    const source = writer(MEGABYTE);
    const answers = [
      json({ message: "busy" }, 503),
      written((outgoing) => {
        outgoing.flushHeaders();
        outgoing.destroy();
      }),
      json({}, 429),
    ];
    const { client, service } = await setUp((_, index) => answers[index] ?? source.reply);
    expect(await digestOf(await client.stream.getFunctionBody(BODY))).toBe(source.digest());
    expect(service.requests).toHaveLength(4);
  });

  it("a refusal is the error that the plain method has", async () => {
    const { client } = await setUp(() => json({ message: "Function not found" }, 404));
    const failure = await failureOf(client.stream.getFunctionBody(BODY));
    expect(failure).toBeInstanceOf(NotFoundError);
    expect(failure.message).toContain('saying "Function not found"');
  });
});

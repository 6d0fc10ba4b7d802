import { once } from "node:events";
import { request, type ClientRequest, type IncomingMessage } from "node:http";
import { startEmulator, type Emulator } from "../../../../emulator";
import { MAX_BODY_BYTES } from "../../../../emulator/service/server/read-bytes";

describe("a body that is too long", () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator();
  });
  afterAll(() => emulator.close());

  function begin(path: string, headers: Record<string, string>): ClientRequest {
    const authorization = `Bearer ${emulator.accessToken}`;
    const method = path.startsWith("/_control") ? "POST" : "PATCH";
    const sent = request(`${emulator.url}${path}`, {
      method,
      agent: false,
      headers: { authorization, "content-type": "application/json", ...headers },
    });
    // Once it has answered, the emulator may close the connection on what is still being sent.
    sent.on("error", () => undefined);
    return sent;
  }
  async function answerTo(sent: ClientRequest): Promise<{ status: number | undefined; text: string }> {
    // The name of the event decides what it gives.
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    let text = "";
    for await (const part of response.setEncoding("utf8")) text += String(part);
    return { status: response.statusCode, text };
  }
  const paths = ["/_control/edit", "/v1/projects/abcdefghijklmnopqrst"];
  const refusal = {
    status: 413,
    text: expect.stringContaining(`at most ${MAX_BODY_BYTES} bytes`) as unknown,
  };

  it.each(paths)("is refused by %s before any of it is sent when its length is told", async (path) => {
    const sent = begin(path, { "content-length": String(MAX_BODY_BYTES + 1) });
    sent.flushHeaders();
    expect(await answerTo(sent)).toEqual(refusal);
    sent.destroy();
  });

  it.each(paths)("is refused by %s without being asked for when the caller waits for that", async (path) => {
    const sent = begin(path, { "content-length": String(MAX_BODY_BYTES + 1), expect: "100-continue" });
    let wasAskedFor = false;
    sent.on("continue", () => (wasAskedFor = true));
    sent.flushHeaders();
    expect(await answerTo(sent)).toEqual(refusal);
    expect(wasAskedFor).toBe(false);
    sent.destroy();
  });

  it.each(paths)("is refused by %s as soon as it is too long when its length is not told", async (path) => {
    const sent = begin(path, { "transfer-encoding": "chunked" });
    const answer = answerTo(sent);
    const isAnswered = answer.then(() => true);
    const part = Buffer.alloc(1024 * 1024, " ");
    let parts = 0;
    // It would never end by itself.
    for (let goesOn = true; goesOn;) {
      parts += 1;
      const isWritten = new Promise<boolean>((resolve) => sent.write(part, () => resolve(false)));
      goesOn = !(await Promise.race([isAnswered, isWritten]));
    }
    expect(await answer).toEqual(refusal);
    expect(parts).toBeGreaterThan(MAX_BODY_BYTES / part.length);
    sent.destroy();
  });

  it("leaves the emulator and its own records in order", async () => {
    emulator.control.clearCalls();
    const sent = begin("/v1/projects/abcdefghijklmnopqrst", { "content-length": String(MAX_BODY_BYTES + 1) });
    sent.flushHeaders();
    expect(await answerTo(sent)).toEqual(refusal);
    sent.destroy();
    const response = await fetch(`${emulator.url}/_control/calls/count?status=413`);
    expect(await response.json()).toEqual({ count: 1 });
    expect(emulator.control.internalErrors).toEqual([]);
  });
});

describe("a body that may be sent", () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator();
  });
  afterAll(() => emulator.close());

  it("is asked for from a caller that waits for that", async () => {
    const sent = request(`${emulator.url}/_control/advance`, {
      method: "POST",
      agent: false,
      headers: { expect: "100-continue", "content-type": "application/json" },
    });
    sent.on("continue", () => sent.end(JSON.stringify({ ms: 5 })));
    sent.flushHeaders();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    response.resume();
  });

  it("is no fault of the emulator's when its caller goes away half-way", async () => {
    const sent = request(`${emulator.url}/_control/advance`, {
      method: "POST",
      headers: { "content-length": "100" },
    });
    sent.on("error", () => undefined);
    sent.write("{");
    sent.destroy();
    expect((await fetch(`${emulator.url}/_control/clock`)).status).toBe(200);
    expect(emulator.control.internalErrors).toEqual([]);
  });
});

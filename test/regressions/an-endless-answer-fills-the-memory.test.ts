import type { ServerResponse } from "node:http";
import { ApiError, isAmbiguous, NotFoundError, ResponseSchemaError } from "../../provider/client";
import { closeAll, failureOf, json, PROJECT, REF, setUp } from "../provider/client/setup";

const LARGEST = 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024, "x");

afterEach(closeAll);

/** Writes for as long as somebody reads. */
function endless(outgoing: ServerResponse): void {
  const write = (): void => {
    while (outgoing.write(PIECE));
    outgoing.once("drain", write);
  };
  write();
}

it("ends an answer that is larger than any that is taken, and says what to do", async () => {
  const { client } = await setUp(() => ({ status: 200, write: endless }), { largestAnswerBytes: LARGEST });
  const failure = await failureOf(client.getProject({ ref: REF }));
  expect(failure).toBeInstanceOf(ResponseSchemaError);
  expect(failure.message).toBe(
    `getProject: the answer is larger than ${LARGEST} bytes. The rest was not read, to save memory. ` +
      "Ask for less at once, or create the client with a larger `largestAnswerBytes`.",
  );
});

it("names the stream where there is one, which has no limit", async () => {
  const total = 3 * LARGEST;
  const { client } = await setUp(
    () => ({
      status: 200,
      headers: { "content-type": "application/octet-stream" },
      body: Buffer.alloc(total, "x"),
    }),
    { largestAnswerBytes: LARGEST },
  );
  const body = { ref: REF, function_slug: "hello" };
  expect((await failureOf(client.getFunctionBody(body))).message).toContain(
    "Read it piece by piece with `client.stream.getFunctionBody`",
  );
  let received = 0;
  for await (const piece of await client.stream.getFunctionBody(body)) received += piece.byteLength;
  expect(received).toBe(total);
});

it("takes an answer of exactly the largest size", async () => {
  const { client } = await setUp(() => ({ status: 200, body: Buffer.alloc(LARGEST, "x") }), {
    largestAnswerBytes: LARGEST,
  });
  expect(await client.getFunctionBody({ ref: REF, function_slug: "hello" })).toHaveLength(LARGEST);
});

it("does not doubt that a write happened whose answer is too large", async () => {
  const { client } = await setUp(() => ({ status: 201, write: endless }), { largestAnswerBytes: LARGEST });
  const body = { name: "shop", db_pass: "horse-battery", organization_slug: "acme" };
  expect(isAmbiguous(await failureOf(client.createProject({ body })))).toBe(true);
});

it("tells an endless error by its beginning, and takes nothing for gone by it", async () => {
  const { client } = await setUp(() => ({ status: 404, write: endless }), { largestAnswerBytes: LARGEST });
  const failure = await failureOf(client.getProject({ ref: REF }));
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure).not.toBeInstanceOf(NotFoundError);
  expect(failure.message.length).toBeLessThan(2_000);
});

it("reads an error no further than 64 KiB, whatever it takes of an answer", async () => {
  const LARGEST_ERROR = 64 * 1024;
  const bodyOf = (length: number): string => {
    const body = JSON.stringify({ message: "no such project", more: "" });
    return body.replace('""', `"${"x".repeat(length - body.length)}"`);
  };
  const { client } = await setUp((_, index) => ({
    status: 400,
    headers: { "content-type": "application/json" },
    body: Buffer.from(bodyOf(LARGEST_ERROR + index)),
  }));
  expect(await failureOf(client.getProject({ ref: REF }))).toMatchObject({
    serviceMessage: "no such project",
  });
  // What is cut is no JSON any more.
  const { message } = await failureOf(client.getProject({ ref: REF }));
  expect(message).toContain('saying "{"message":"no such project"');
});

it("gives the connection back", async () => {
  const { client } = await setUp(
    (_, index) => (index === 0 ? { status: 200, write: endless } : json(PROJECT)),
    {
      largestAnswerBytes: LARGEST,
      connections: 1,
    },
  );
  await failureOf(client.getProject({ ref: REF }));
  expect(await client.getProject({ ref: REF })).toMatchObject({ ref: REF });
});

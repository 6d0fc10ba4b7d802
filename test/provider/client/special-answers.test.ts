import type { ServerResponse } from "node:http";
import {
  ApiError,
  InvalidInputError,
  isAmbiguous,
  NotFoundError,
  ResponseSchemaError,
} from "../../../provider/client/errors/errors";
import { closeAll, failureOf, json, REF, setUp, PROJECT } from "./setup";

afterEach(closeAll);

describe("a count in a header", () => {
  it("is read from a HEAD request", async () => {
    const { client, service } = await setUp(() => ({ status: 200, headers: { "x-total-count": "128" } }));
    expect(await client.countActionRuns({ ref: REF })).toBe(128);
    expect(service.requests[0]?.method).toBe("HEAD");
  });

  it.each([undefined, "", "many"])("that says %j is an error", async (count) => {
    const headers = count === undefined ? {} : { "x-total-count": count };
    const { client } = await setUp(() => ({ status: 200, headers }));
    expect(await failureOf(client.countActionRuns({ ref: REF }))).toBeInstanceOf(ResponseSchemaError);
  });

  it.each([
    ["application/json; charset=utf-8", NotFoundError],
    ["text/html", ApiError],
  ])("of what is not there is told by the refusal's content type: %s", async (type, expected) => {
    const { client } = await setUp(() => ({ status: 404, headers: { "content-type": type } }));
    const failure = await failureOf(client.countActionRuns({ ref: REF }));
    expect(failure.constructor).toBe(expected);
  });

  it("is asked for again after a refusal that has no body", async () => {
    const { client, service } = await setUp((_, index) =>
      index === 0 ? { status: 503 } : { status: 200, headers: { "x-total-count": "0" } },
    );
    expect(await client.countActionRuns({ ref: REF })).toBe(0);
    expect(service.requests).toHaveLength(2);
  });
});

describe("a body of bytes", () => {
  it("comes back as it is, also where it is no text", async () => {
    const body = Buffer.from([0, 255, 254, 128, 10, 239, 187, 191]);
    const headers = { "content-type": "application/octet-stream" };
    const { client } = await setUp(() => ({ status: 200, headers, body }));
    const answer = await client.getFunctionBody({ ref: REF, function_slug: "hello" });
    expect(Buffer.from(answer).equals(body)).toBe(true);
  });
});

describe("a migration", () => {
  const migration = { ref: REF, body: { query: "create table a ()" } };

  it("is repeated under its idempotency key after an unclear outcome", async () => {
    const { client, service } = await setUp((_, index) => (index === 0 ? json({}, 502) : json({})));
    await client.applyMigration({ ...migration, "Idempotency-Key": "key-1" });
    expect(service.requests.map(({ headers }) => headers["idempotency-key"])).toEqual(["key-1", "key-1"]);
  });

  it.each([{}, { "Idempotency-Key": "" }])("is not repeated with %j for a key", async (key) => {
    const { client, service } = await setUp(() => json({}, 502));
    const failure = await failureOf(client.applyMigration({ ...migration, ...key }));
    expect(isAmbiguous(failure)).toBe(true);
    expect(service.requests).toHaveLength(1);
  });
});

describe("what a request sent as secret is not in the error that quotes it:", () => {
  const secret = "horse-battery-staple";

  it.each([
    ["createProject", { body: { name: "shop", organization_slug: "acme", db_pass: secret } }],
    ["createSecrets", { ref: REF, body: [{ name: "PAYMENT", value: secret }] }],
    ["updateAuthConfig", { ref: REF, body: { smtp_pass: secret } }],
    ["updateAuthConfig", { ref: REF, body: { external_idp01_secret: secret } }],
    ["exchangeToken", { body: { grant_type: "authorization_code", code: secret } }],
    ["revokeToken", { body: { client_id: REF, client_secret: "other", refresh_token: secret } }],
    ["createBranch", { ref: REF, body: { branch_name: "b", secrets: { KEY: secret } } }],
  ] as const)("%s", async (name, parameters) => {
    const { client } = await setUp(({ body }) => json({ message: `cannot take ${body.toString()}` }, 422));
    // The names and parameters stand side by side above.
    const call = client[name] as (given: unknown) => Promise<unknown>;
    const failure = await failureOf(call(parameters));
    expect(failure.message).toContain("cannot take");
    expect(failure.message).not.toContain(secret);
    expect(JSON.stringify(failure)).not.toContain(secret);
  });

  it("while names stay readable", async () => {
    const { client } = await setUp(() => json({ message: "region eu-central-1 is full for shop-2" }, 400));
    const region_selection = { type: "specific", code: "eu-central-1" } as const;
    const body = { name: "shop-2", organization_slug: "acme", db_pass: secret, region_selection };
    const failure = await failureOf(client.createProject({ body }));
    expect(failure.message).toContain("region eu-central-1 is full for shop-2");
  });
});

it("sends nothing for a header that no request can carry", async () => {
  const { client, service } = await setUp(() => json({}));
  const key = { "Idempotency-Key": "a\r\nb: c" };
  const failure = await failureOf(client.applyMigration({ ref: REF, body: { query: "select 1" }, ...key }));
  expect(failure).toBeInstanceOf(InvalidInputError);
  expect(failure).toMatchObject({ path: "Idempotency-Key" });
  expect(service.requests).toEqual([]);
});

// service, Just-in-time access.
describe("just-in-time access", () => {
  it("is read with the user and with the state", async () => {
    const user = { user_id: "5f1c0a7e-9b1d-4c3e-8f2a-1b2c3d4e5f60", user_roles: [{ role: "postgres" }] };
    for (const answer of [
      user,
      { state: "enabled", appliedSuccessfully: true },
      { ...user, user_id: null },
    ]) {
      const { client } = await setUp(() => ({ status: 200, body: answer }));
      expect(await client.getJitAccess({ ref: REF })).toEqual(answer);
      expect(await client.updateJitAccess({ ref: REF, body: { state: "enabled" } })).toEqual(answer);
    }
  });

  it("is listed with people who are only invited", async () => {
    const items = [{ user_id: null, user_roles: [{ role: "postgres" }] }, { user_roles: [] }];
    const { client } = await setUp(() => ({ status: 200, body: { items } }));
    expect(await client.listJitUsers({ ref: REF })).toEqual({ items });
  });
});

describe("an endless answer", () => {
  const LARGEST = 1024 * 1024;
  const PIECE = Buffer.alloc(64 * 1024, "x");

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
    expect(message).toContain('saying “{"message":"no such project"');
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
});

describe("an answer that is nested 40,000 deep", () => {
  const NESTED = "[".repeat(40_000) + "]".repeat(40_000);
  const create = { name: "shop", db_pass: "horse-battery", organization_slug: "acme" };

  it.each([
    [201, true],
    [500, true],
    [302, true],
    [400, false],
    [409, false],
    [422, false],
  ])("to a write, with status %i, leaves open whether it was executed: %s", async (status, isOpen) => {
    const { client } = await setUp(() => ({ status, body: NESTED }));
    const failure = await failureOf(client.createProject({ body: create }));
    expect(failure).toBeInstanceOf(status === 201 ? ResponseSchemaError : ApiError);
    expect(isAmbiguous(failure)).toBe(isOpen);
  });

  it("within an object's unknown field is refused as well", async () => {
    const body = `{"ref": "${REF}", "more": ${'{"a":'.repeat(600)}1${"}".repeat(600)}}`;
    const { client } = await setUp(() => ({ status: 200, body }));
    expect((await failureOf(client.getProject({ ref: REF }))).message).toContain("nested too deeply");
  });

  it("says nothing of marks within texts", async () => {
    const name = `${"[".repeat(1_000)}\\"{`;
    const { client } = await setUp(() => json({ ...PROJECT, name }));
    expect(await client.getProject({ ref: REF })).toMatchObject({ name });
  });
});

describe("an answer's largest size", () => {
  const LARGE = 17 * 1024 * 1024;

  it("is that of its operation", async () => {
    const { client } = await setUp(() => ({ status: 200, body: Buffer.alloc(LARGE, " ") }));
    expect((await failureOf(client.getProject({ ref: REF }))).message).toContain(
      "larger than 16777216 bytes",
    );
    expect(await client.getFunctionBody({ ref: REF, function_slug: "hello" })).toHaveLength(LARGE);
  });
});

it("leaves open whether a write was executed that failed for an unforeseen reason after it had left", async () => {
  const { client } = await setUp(() => json(PROJECT, 201), {
    trace: () => {
      throw new RangeError("unforeseen");
    },
  });
  const body = { name: "shop", db_pass: "horse-battery", organization_slug: "acme" };
  const failure = await failureOf(client.createProject({ body }));
  expect(isAmbiguous(failure)).toBe(true);
  expect(failure.message).toContain("(RangeError)");
});

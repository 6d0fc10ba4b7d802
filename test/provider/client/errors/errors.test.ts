import {
  ApiError,
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  isAmbiguous,
  isNotFound,
  ManagementError,
  NotFoundError,
  RateLimitedError,
  UnauthorizedError,
} from "../../../../provider/client/errors/errors";
import { closeAll, failureOf, json, REF, setUp, TOKEN } from "../setup";

afterEach(closeAll);

async function failureFor(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Error> {
  const { client } = await setUp(() => ({ status, body, headers }));
  return failureOf(client.pauseProject({ ref: REF }));
}

it.each([
  [400, ApiError],
  [401, UnauthorizedError],
  [402, ApiError],
  [403, ForbiddenError],
  [404, NotFoundError],
  // Of a POST: what it asks for is not there yet, and nothing is gone.
  [406, ApiError],
  [409, ConflictError],
  [422, ApiError],
  [429, RateLimitedError],
  [544, ApiError],
])("makes an error of its own of %i", async (status, expected) => {
  const failure = await failureFor(status, { message: "no" });
  expect(failure.constructor).toBe(expected);
  expect(failure).toBeInstanceOf(ManagementError);
  expect(failure).toMatchObject({ status, operation: "pauseProject", serviceMessage: "no" });
});

it("takes 406 for gone where an object was asked for", async () => {
  const { client } = await setUp(() => ({ status: 406, body: { message: "Failed to find API key" } }));
  expect(await failureOf(client.getProject({ ref: REF }))).toBeInstanceOf(NotFoundError);
});

it.each([{}, [], null, "Not found", { status: 404 }, { message: "" }, { message: [] }, { message: {} }])(
  "takes no 404 or 406 with %j for gone: only the service's own errors tell",
  async (body) => {
    for (const status of [404, 406]) {
      const { client } = await setUp(() => ({ status, body: Buffer.from(JSON.stringify(body)) }));
      const failure = await failureOf(client.getProject({ ref: REF }));
      expect(failure.constructor).toBe(ApiError);
      expect(failure.message).toContain("check the base URL");
    }
  },
);

it.each([
  ["a text", "error code: 1010"],
  ["a page", "<html><body>forbidden</body></html>"],
])("takes a 403 that is %s for a gateway's, which says nothing of the token", async (_what, body) => {
  const failure = await failureFor(403, Buffer.from(body), { "content-type": "text/plain" });
  expect(failure).not.toBeInstanceOf(ForbiddenError);
  expect(failure.message).toContain("from a gateway in front of it");
  expect(failure.message).not.toContain("permission");
});

it("says that a token of an organization is none of a user, and not that it lacks a permission", async () => {
  const said = "This endpoint requires a user-scoped access token";
  const { message } = await failureFor(403, { message: said });
  expect(message).toContain("use the access token of a user");
  expect(message).not.toContain("permission");
});

it.each([
  [
    "This feature requires the Enterprise organization plan.",
    "The organization's plan does not include this",
  ],
  ["no", "A quota of the organization's plan is used up"],
])("says of a 402 with %j what the plan lacks", async (said, expected) => {
  expect((await failureFor(402, { message: said })).message).toContain(expected);
});

it("takes a removed project for gone", async () => {
  expect(isNotFound(await failureFor(400, { message: "Resource has been removed" }))).toBe(true);
});

it("does not take a page that says so for a removed project", async () => {
  const page = Buffer.from("<html>Resource has been removed</html>");
  expect(isNotFound(await failureFor(400, page))).toBe(false);
});

it.each([400, 403, 422])("says what the plan may lack where the service names it with %i", async (status) => {
  const { message } = await failureFor(status, { message: "This is not available on the free plan." });
  expect(message).toContain(
    "The organization's plan may not include this: change the declaration or the plan.",
  );
  expect(message).not.toContain("permission");
});

it.each([401, 403, 429, 500, 503])("never takes %i for gone", async (status) => {
  expect(isNotFound(await failureFor(status, { message: "Not found" }))).toBe(false);
});

it.each([400, 401, 403, 404, 409, 422, 429])(
  "knows that a write answered with %i was not executed",
  async (status) => {
    expect(isAmbiguous(await failureFor(status, {}))).toBe(false);
  },
);

it("names the permission and the scope that a refused operation needs", async () => {
  const { message } = await failureFor(403, { message: "Forbidden" });
  expect(message).toContain("the permission project_admin_write and with OAuth the scope projects:write");
});

it("names where a client's token is set, and nothing of Pulumi, which a client need not know", async () => {
  const { message } = await failureFor(401, {});
  expect(message).toContain("MANAGEMENT_ACCESS_TOKEN");
  expect(message).toContain("`accessToken`");
  expect(message).not.toMatch(/pulumi/i);
});

it("explains a used-up quota", async () => {
  expect((await failureFor(402, { message: "limit" })).message).toContain("quota");
});

it.each([
  ['{"message":["a","b"]}', "a; b"],
  ['{"error":"invalid_grant","error_description":"expired"}', "expired"],
  ['{"error":{"message":"deep"}}', "deep"],
  ['{"problem":1}', '{"problem":1}'],
  ["plain text", "plain text"],
  ["<html>502 Bad Gateway</html>", ""],
  ["{}", ""],
  ["", ""],
])("reads what the body %s says", async (body, said) => {
  expect(await failureFor(400, body)).toMatchObject({ serviceMessage: said });
});

it.each(["x-request-id", "cf-ray"])("keeps the request id of %s", async (header) => {
  const failure = await failureFor(400, {}, { [header]: "req-7" });
  expect(failure).toMatchObject({ requestId: "req-7" });
  expect(failure.message).toContain("Request id: req-7.");
});

it("shows neither the token nor a known secret that the service repeats", async () => {
  const { client, lines } = await setUp(({ headers }) => ({
    status: 400,
    headers: { "x-echo": headers.authorization ?? "" },
    body: { message: `bad password "horse\\"battery" for ${headers.authorization ?? ""}` },
  }));
  client.redactor.add('horse"battery');
  const failure = await failureOf(client.pauseProject({ ref: REF }));
  const everything = JSON.stringify([failure.message, failure, failure.stack, lines]);
  expect(everything).not.toContain(TOKEN);
  expect(everything).not.toMatch(/horse|battery/);
});

it.each([undefined, "", "  "])("says what to do when the token is %j", async (accessToken) => {
  const { client, service } = await setUp(() => json({}), {
    credentials: { kind: "token", accessToken: () => accessToken },
  });
  const failure = await failureOf(client.listProjects({}));
  expect(failure).toBeInstanceOf(InvalidInputError);
  expect(failure.message).toContain("MANAGEMENT_ACCESS_TOKEN");
  expect(service.requests).toEqual([]);
});

it("does not repeat a malformed token in its message", async () => {
  const credentials = { kind: "token" as const, accessToken: () => "half-a-token\nother-half" };
  const { client } = await setUp(() => json({}), { credentials });
  expect((await failureOf(client.listProjects({}))).message).not.toContain("half-a-token");
});

it("asks for the token at each request, and once more after a 401", async () => {
  let current = "first-token";
  const credentials = { kind: "token" as const, accessToken: () => current };
  const { client, service } = await setUp(
    ({ headers }) => {
      const isOld = headers.authorization === "Bearer first-token";
      current = "second-token";
      return isOld ? json({ message: "expired" }, 401) : json([]);
    },
    { credentials },
  );
  await client.listProjects({});
  expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer first-token",
    "Bearer second-token",
  ]);
});

describe("an error of the second version", () => {
  const second = (status: number, error: object): Promise<Error> => failureFor(status, { error });

  it("has its code, and a message with every issue", async () => {
    const failure = await second(400, {
      code: "validation_failed",
      message: "Validation failed",
      issues: [
        { code: "bad_request", message: "data.attributes.url: Invalid url" },
        { code: "bad_request", message: "data.type: Required" },
      ],
    });
    expect(failure).toMatchObject({
      serviceCode: "validation_failed",
      serviceMessage: "Validation failed: data.attributes.url: Invalid url; data.type: Required",
    });
    expect(failure.message).toContain("data.type: Required");
  });

  it("has no code that is a text of any other form", async () => {
    const failure = await second(400, { code: "a b\u001b", message: "no" });
    expect(failure).toMatchObject({ serviceMessage: "no", serviceCode: undefined });
  });

  it("hides in its issues what the request sent as secret", async () => {
    const { client } = await setUp(() => ({
      status: 400,
      body: {
        error: {
          code: "validation_failed",
          message: "no",
          issues: [{ code: "bad_request", message: "headers are x-key: header-value-1, whsec-secret-value" }],
        },
      },
    }));
    const attributes = {
      url: "https://hooks.example.com",
      event_types: [],
      custom_headers: { "x-key": "header-value-1" },
      signing_secret: "whsec-secret-value",
    };
    const body = { data: { type: "endpoint" as const, attributes } };
    const failure = await failureOf(client.createProjectWebhookEndpoint({ ref: REF, body }));
    expect(failure.message).toContain("headers are x-key");
    expect(failure.message).not.toMatch(/header-value-1|whsec-secret-value/);
  });

  it("says that the plan lacks the feature, and that the installation lacks the operation", async () => {
    const answer = (status: number, error: object): Promise<Error> =>
      setUp(() => ({ status, body: { error } })).then(({ client }) =>
        failureOf(client.listProjectWebhookEndpoints({ ref: REF })),
      );
    const refused = await answer(402, { code: "payment_required", message: "Payment Required" });
    expect(refused.message).toContain("The organization's plan does not include this");
    const unrouted = await answer(404, { code: "not_found", message: "Cannot GET /v2/projects/x" });
    expect(unrouted).not.toBeInstanceOf(NotFoundError);
    expect(unrouted.message).toContain(
      "This installation does not have the operation listProjectWebhookEndpoints",
    );
    expect(await answer(404, { code: "endpoint_not_found", message: "Not Found" })).toBeInstanceOf(
      NotFoundError,
    );
  });
});

import { ApiError, InvalidInputError, isAmbiguous } from "../../../../provider/client/errors/errors";
import { startHttpService } from "../http-service";
import { closeAll, failureOf, json, PROJECT, REF, setUp, TOKEN } from "../setup";

afterEach(closeAll);

it("sends the token, its name and version, and header names in lower case", async () => {
  const { client, service } = await setUp(() => json(PROJECT));
  await client.getProject({ ref: REF });
  const [request] = service.requests;
  expect(request?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  expect(request?.headers["user-agent"]).toMatch(/^pulumi-management\/\d+\.\d+\.\d+$/);
  const names = (request?.rawHeaders ?? []).filter((_, index) => index % 2 === 0);
  expect(
    names.filter((name) => name !== name.toLowerCase() && name !== "Host" && name !== "Connection"),
  ).toEqual([]);
});

it("fills in the path, percent-encoded", async () => {
  const { client, service } = await setUp(() => json({ slug: "a/b?c" }));
  await client.getFunction({ ref: REF, function_slug: "a/b?c" });
  expect(service.requests[0]?.url.pathname).toBe(`/v1/projects/${REF}/functions/a%2Fb%3Fc`);
});

it.each(["", ".", ".."])("does not send a call with the path parameter %j", async (slug) => {
  const { client, service } = await setUp(() => json({}));
  const failure = await failureOf(client.getFunction({ ref: REF, function_slug: slug }));
  expect(failure).toBeInstanceOf(InvalidInputError);
  expect(failure).toMatchObject({ path: "function_slug" });
  expect(service.requests).toEqual([]);
});

it("repeats a query's key for each element, and spells booleans out", async () => {
  const { client, service } = await setUp(({ url }) =>
    json(url.pathname.endsWith("health") ? [] : { name: "k" }),
  );
  await client.getHealth({ ref: REF, services: ["auth", "db"], timeout_ms: 500 });
  await client.updateApiKey({ ref: REF, id: "1", reveal: true, body: {} });
  expect(service.requests.map(({ url }) => url.search)).toEqual([
    "?services=auth&services=db&timeout_ms=500",
    "?reveal=true",
  ]);
});

it("sends JSON bodies, with a DELETE as well", async () => {
  const { client, service } = await setUp(() => json({}));
  await client.deleteSecrets({ ref: REF, body: ["ONE", "TWO"] });
  const [request] = service.requests;
  expect(request?.headers["content-type"]).toBe("application/json");
  expect(JSON.parse(request?.body.toString() ?? "")).toEqual(["ONE", "TWO"]);
});

it("sends a function's files as parts with their names beside one JSON part", async () => {
  const { client, service } = await setUp(() => json({ slug: "hello" }, 201));
  const file = [
    { name: "src/index.ts", content: Buffer.from("export {}") },
    { name: "deno.json", content: Buffer.from([0, 255]) },
  ];
  const metadata = { entrypoint_path: "src/index.ts", verify_jwt: false };
  await client.deployFunction({ ref: REF, slug: "hello", body: { file, metadata } });
  const [request] = service.requests;
  const text = request?.body.toString("latin1") ?? "";
  const boundary = /boundary=(.+)$/.exec(request?.headers["content-type"] ?? "")?.[1] ?? "";
  const parts = text.split(`--${boundary}`).slice(1, -1);
  expect(parts.filter((part) => part.includes('name="metadata"'))).toEqual([
    expect.stringContaining(`\r\n\r\n${JSON.stringify(metadata)}\r\n`),
  ]);
  expect(parts.filter((part) => part.includes('name="file"'))).toEqual([
    expect.stringMatching(/filename="src\/index\.ts"[^]*\r\n\r\nexport \{\}\r\n$/),
    expect.stringMatching(/filename="deno\.json"[^]*\r\n\r\n\0\xff\r\n$/),
  ]);
});

it("sends a repeated upload whole", async () => {
  const { client, service } = await setUp((_, index) =>
    index === 0 ? { status: 429 } : json({ slug: "hello" }, 201),
  );
  const body = {
    file: [{ name: "a.ts", content: Buffer.from("export {}") }],
    metadata: { entrypoint_path: "a.ts" },
  };
  await client.deployFunction({ ref: REF, body });
  expect(service.requests.map(({ body: { length } }) => length > 100)).toEqual([true, true]);
});

it("keeps the path of the base URL", async () => {
  const proxy = await startHttpService(() => json(PROJECT));
  const { client } = await setUp(() => json({}), { baseUrl: `${proxy.url}/gateway/` });
  await client.getProject({ ref: REF });
  expect(proxy.requests[0]?.url.pathname).toBe(`/gateway/v1/projects/${REF}`);
  await proxy.close();
});

it.each([["{}"], [""]])("takes %j for success where the specification writes {}", async (body) => {
  const { client } = await setUp(() => ({ status: 200, body }));
  await expect(client.deleteSecrets({ ref: REF, body: [] })).resolves.toBeUndefined();
});

it.each([
  ["<html>ok</html>", {}],
  ['{"id": "0f1e', { "content-type": "application/json" }],
])("does not take %j for success where the specification writes {}", async (body, headers) => {
  const { client } = await setUp(() => ({ status: 200, body, headers }));
  await expect(client.deleteSecrets({ ref: REF, body: [] })).rejects.toThrow("no JSON");
});

it("returns text answers as they are", async () => {
  const { client } = await setUp(() => ({
    status: 200,
    body: "line 1\nline 2",
    headers: { "content-type": "text/plain" },
  }));
  expect(await client.getActionRunLogs({ ref: REF, run_id: "1" })).toBe("line 1\nline 2");
});

it("does not take an empty answer to a read for empty settings", async () => {
  const { client } = await setUp(() => ({ status: 200, body: "" }));
  const failure = await failureOf(client.getPostgresConfig({ ref: REF }));
  expect(failure.message).toContain("the success answer is empty");
});

it("does not take the token to another origin", async () => {
  const other = await startHttpService(() => json(PROJECT));
  const { client } = await setUp(() => ({
    status: 302,
    headers: { location: `${other.url}/v1/projects/${REF}` },
  }));
  const failure = await failureOf(client.getProject({ ref: REF }));
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure.message).toContain(`A redirect to ${other.url} was not followed`);
  expect(other.requests).toEqual([]);
  await other.close();
});

it("follows a read's redirect within the origin", async () => {
  const { client, service } = await setUp(({ url }) =>
    url.pathname.startsWith("/v1/")
      ? { status: 307, headers: { location: `/v2/projects/${REF}?a=b` } }
      : json(PROJECT),
  );
  await client.getProject({ ref: REF });
  expect(service.requests.map(({ url }) => url.pathname + url.search)).toEqual([
    `/v1/projects/${REF}`,
    `/v2/projects/${REF}?a=b`,
  ]);
});

it("ends a loop of redirects", async () => {
  const { client, service } = await setUp(() => ({ status: 307, headers: { location: "?again" } }));
  expect(await failureOf(client.getProject({ ref: REF }))).toBeInstanceOf(ApiError);
  expect(service.requests).toHaveLength(6);
});

it("does not follow a write's redirect, which says nothing of what was done", async () => {
  const { client, service } = await setUp(() => ({ status: 308, headers: { location: "/elsewhere" } }));
  const failure = await failureOf(client.updateProject({ ref: REF, body: { name: "x" } }));
  expect(isAmbiguous(failure)).toBe(true);
  expect(service.requests).toHaveLength(1);
});

it("logs method, path, status and time, never the query", async () => {
  const { client, lines } = await setUp(() => json({ name: "k" }));
  await client.deleteApiKey({ ref: REF, id: "1", reason: "leaked by Bob" });
  expect(lines).toEqual([`DELETE /v1/projects/${REF}/api-keys/1 200 0 ms`]);
});

it("counts every request", async () => {
  const { client } = await setUp((_, index) => (index === 0 ? json({}, 500) : json(PROJECT)));
  await client.getProject({ ref: REF });
  expect(client.callCount()).toBe(2);
});

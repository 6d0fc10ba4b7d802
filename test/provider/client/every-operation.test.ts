import { z } from "zod";
import { ManagementClient } from "../../../provider/client";
import type { Operation, Success } from "../../../spec/operation";
import { operations } from "../../../spec/table";
import { emptiestAnswer } from "./emptiest-answer";
import type { Received, Reply } from "./http-service";
import { type Extent, valueOf } from "./schema-values";
import { closeAll, setUp, TOKEN } from "./setup";

const entries = Object.entries<Operation>(operations);
const cases = entries.flatMap(([name, operation]) =>
  (["all", "required"] as const).map((extent) => [name, extent, operation] as const),
);
const hasBytes = entries.filter(([, { body }]) => body?.bytesContentType !== undefined);

afterEach(closeAll);

it.each(cases)(
  "%s with %s fields is sent as the table says, and its answer is read",
  async (name, extent, operation) => {
    const parts = partsOf(operation, extent);
    const answer = valueOf(operation.success.schema, extent);
    const { client, service } = await setUp(() => replyOf(operation.success, answer));
    const given = { ...parts.params, ...parts.query, ...parts.headers, ...bodyOf(parts) };

    expect(await call(client, name, given)).toEqual(answer);

    const [request, ...others] = service.requests;
    if (request === undefined) throw new Error("nothing was sent");
    expect(others).toEqual([]);
    expect(request.method).toBe(operation.method);
    expect(decodedPath(request, operation)).toEqual(parts.params);
    expect(queryOf(request)).toEqual(textsOf(parts.query));
    for (const [header, value] of Object.entries(parts.headers)) {
      expect(request.headers[header.toLowerCase()]).toBe(value);
    }
    const accepted = parts.headers["Accept"] ?? operation.success.contentType;
    expect(request.headers["accept"]?.split(/[,;]/, 1)).toEqual([accepted]);
    expect(request.headers.authorization).toBe(carriesToken(operation) ? `Bearer ${TOKEN}` : undefined);
    expect(request.headers["content-type"]?.split(";", 1)[0]).toBe(operation.body?.contentType);
    expect(await decodedBody(request, operation)).toEqual(parts.body);
  },
);

// service, Newer fields.
it.each(entries)(
  "%s keeps, at every depth of its answer, what the table does not know",
  async (name, operation) => {
    const answer = withUnheardOf(valueOf(operation.success.schema, "all"));
    const parts = partsOf(operation, "required");
    const { client } = await setUp(() => replyOf(operation.success, answer));
    const given = { ...parts.params, ...parts.query, ...parts.headers, ...bodyOf(parts) };
    expect(await call(client, name, given)).toEqual(answer);
  },
);

// service, Reading answers; service, Just-in-time access.
it.each(entries)("%s reads the emptiest answer that has what is required", async (name, operation) => {
  for (const others of ["absent", "null"] as const) {
    const answer = emptiestAnswer(operation.success, others);
    const parts = partsOf(operation, "required");
    const { client } = await setUp(() => replyOf(operation.success, answer));
    const given = { ...parts.params, ...parts.query, ...parts.headers, ...bodyOf(parts) };
    expect(await call(client, name, given)).toEqual(answer);
  }
});

it.each(hasBytes)("%s sends bytes as they are, in their own content type", async (name, operation) => {
  const body = Uint8Array.from({ length: 512 }, (_, index) => index % 256);
  const { params } = partsOf(operation, "required");
  const { client, service } = await setUp(() =>
    replyOf(operation.success, valueOf(operation.success.schema, "all")),
  );
  await call(client, name, { ...params, body });
  const [request] = service.requests;
  expect(request?.headers["content-type"]).toBe("application/vnd.denoland.eszip");
  expect(request?.headers["content-length"]).toBe("512");
  expect(request?.body.equals(body)).toBe(true);
});

it("has a method for every operation, which works without the client", async () => {
  const { client } = await setUp(() => ({ status: 200, body: [] }));
  expect(entries.filter(([name]) => typeof Reflect.get(client, name) !== "function")).toEqual([]);
  const { listProjects, listOrganizations } = client;
  expect(await listProjects()).toEqual([]);
  expect(await listOrganizations(undefined, {})).toEqual([]);
  expect(client).toBeInstanceOf(ManagementClient);
});

function withUnheardOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnheardOf);
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  const known = Object.entries(value).map(([key, child]) => [key, withUnheardOf(child)] as const);
  return { ...Object.fromEntries(known), unheard_of: { by: ["the table", null] } };
}

interface Parts {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

function partsOf({ params, query, headers, body }: Operation, extent: Extent): Parts {
  const fieldsOf = (schema: z.ZodObject): Record<string, unknown> => schema.parse(valueOf(schema, extent));
  return {
    params: fieldsOf(params),
    query: fieldsOf(query),
    headers: Object.fromEntries(Object.keys(fieldsOf(headers)).map((name) => [name, "key-1"])),
    body: body && valueOf(body.schema, extent),
  };
}

function bodyOf({ body }: Parts): object {
  return body === undefined ? {} : { body };
}

/** By its name, for the sake of tests that are made for each entry. */
function call(client: ManagementClient, name: string, parameters: object): Promise<unknown> {
  // Every entry has a method, whose parameters are made by the entry's own schemas.
  const methods = client as unknown as Readonly<Record<string, (parameters: object) => Promise<unknown>>>;
  const method = methods[name];
  if (method === undefined) throw new Error(`the client has no method ${name}`);
  return method(parameters);
}

function replyOf({ status, contentType, header }: Success, answer: unknown): Reply {
  if (header !== undefined) return { status, headers: { [header]: String(answer) } };
  if (status === 204) return { status };
  return { status, headers: { "content-type": contentType }, body: answer ?? {} };
}

/** What stands in the path in place of the template's names. */
function decodedPath({ url }: Received, { path }: Operation): Record<string, unknown> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
  const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "([^/]+)")}$`);
  const values = pattern.exec(url.pathname)?.slice(1) ?? [];
  return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index] ?? "")]));
}

function queryOf({ url }: Received): Record<string, string[]> {
  return Object.fromEntries(
    [...new Set(url.searchParams.keys())].map((name) => [name, url.searchParams.getAll(name)]),
  );
}

function textsOf(query: Readonly<Record<string, unknown>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value].flat().map(String)]));
}

/** Those of OAuth that list no permission carry the application's own credentials. */
function carriesToken({ path, permissions }: Operation): boolean {
  return !path.startsWith("/v1/oauth/") || permissions.length > 0;
}

async function decodedBody({ body, headers }: Received, operation: Operation): Promise<unknown> {
  switch (operation.body?.contentType) {
    case "application/json":
      return JSON.parse(body.toString());
    case "application/x-www-form-urlencoded":
      return Object.fromEntries(new URLSearchParams(body.toString()));
    case "multipart/form-data":
      return decodedForm(body, headers["content-type"] ?? "");
    default:
      return body.length === 0 ? undefined : body;
  }
}

/** Parts with a file name as lists of files, the others as JSON. */
async function decodedForm(body: Buffer, contentType: string): Promise<Record<string, unknown>> {
  const response = new Response(new Uint8Array(body), { headers: { "content-type": contentType } });
  // oxlint-disable-next-line typescript/no-deprecated -- meant for servers; this body is small and the client's own
  const form = await response.formData();
  const fields: Record<string, unknown> = {};
  for (const [name, value] of form) {
    if (typeof value === "string") fields[name] = JSON.parse(value);
    else {
      const file = { name: value.name, content: new Uint8Array(await value.arrayBuffer()) };
      const earlier = fields[name];
      fields[name] = Array.isArray(earlier) ? [...(earlier as unknown[]), file] : [file];
    }
  }
  return fields;
}

import type { z } from "zod";
import type { RequestBody, BodyContentType, FilePart } from "../../../spec/operation";
import { shapeOf } from "../../../spec/shape-of";
import { coerceFields, coerceText } from "./coerce";
import { InvalidRequest } from "../answers/invalid-request";
import type { ApiRequest } from "./request";

/** Finds the schema of a field of the body by its name on the wire. */
type SchemaOf = (name: string) => z.ZodType | undefined;

/** What the body says, as it was sent and not yet compared with its schema; undefined when nothing was sent. */
export async function readBody(body: RequestBody, request: ApiRequest, schemaOf: SchemaOf): Promise<unknown> {
  const bytes = await request.readBody();
  if (bytes.byteLength === 0) return undefined;

  const header = request.header("content-type") ?? "";
  const sent = (header.split(";")[0] ?? "").trim().toLowerCase();
  const taken = [body.contentType, ...(body.bytesContentType === undefined ? [] : [body.bytesContentType])];
  const contentType = taken.find((one) => one === sent);
  if (contentType === undefined) {
    const given = sent === "" ? "no content type" : sent;
    throw invalidBody(`Unsupported content type: expected ${taken.join(" or ")}, received ${given}`);
  }
  return decode[contentType](bytes, header, schemaOf);
}

type Decode = (bytes: Uint8Array, contentType: string, schemaOf: SchemaOf) => unknown;

const decode: Readonly<Record<BodyContentType, Decode>> = {
  "application/json": (bytes) => parseJson(textOf(bytes), "body"),
  "application/x-www-form-urlencoded": (bytes, _contentType, schemaOf) =>
    coerceFields(new URLSearchParams(textOf(bytes)), schemaOf),
  "multipart/form-data": readMultipart,
  "application/vnd.denoland.eszip": (bytes) => bytes,
};

async function readMultipart(bytes: Uint8Array, contentType: string, schemaOf: SchemaOf): Promise<unknown> {
  let parts: FormData;
  try {
    // A view of a request's own bytes, never of shared memory.
    const own = bytes as Uint8Array<ArrayBuffer>;
    // oxlint-disable-next-line typescript/no-deprecated -- only streaming needs more; this body is small and read
    parts = await new Response(own, { headers: { "content-type": contentType } }).formData();
  } catch {
    throw invalidBody("Malformed multipart body");
  }
  const fields: Record<string, unknown> = {};
  for (const name of new Set(parts.keys())) {
    const values = parts.getAll(name);
    const field = schemaOf(name);
    fields[name] = field === undefined ? undefined : await readPart(name, values, field);
  }
  return fields;
}

/** A list takes files, an object takes JSON, everything else takes text (service, Edge functions). */
async function readPart(
  name: string,
  values: readonly (string | File)[],
  field: z.ZodType,
): Promise<unknown> {
  const { kind } = shapeOf(field);
  if (kind === "array" && values.some((value) => typeof value !== "string")) {
    return Promise.all(values.map(fileOf));
  }
  const texts = await Promise.all(values.map(textOfPart));
  return kind === "object" ? parseJson(texts.at(-1) ?? "", name) : coerceText(field, texts);
}

async function textOfPart(value: string | File): Promise<string> {
  return typeof value === "string" ? value : value.text();
}

async function fileOf(value: string | File): Promise<FilePart | string> {
  if (typeof value === "string") return value;
  return { name: value.name, content: new Uint8Array(await value.arrayBuffer()) };
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidRequest([{ path, message: "Malformed JSON" }]);
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function invalidBody(message: string): InvalidRequest {
  return new InvalidRequest([{ path: "body", message }]);
}

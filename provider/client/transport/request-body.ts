import { Readable } from "node:stream";
import { FormData, Response } from "undici";
import { type RequestBody, type FilePart, filePart } from "../../../spec/operation";

/** A body in the transport's terms. */
export interface EncodedBody {
  readonly content: string | Uint8Array;
  readonly contentType: string;
}

/** Small enough to leave in one piece, large enough to cost little. */
const PIECE_BYTES = 64 * 1024;

export interface BodyInPieces {
  readonly content: string | Uint8Array | Readable | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** A body as it is sent: a large one piece by piece, so that its progress is seen. */
export function splitBody(body: EncodedBody | undefined): BodyInPieces {
  if (body === undefined) return { content: null, headers: {} };
  const { content, contentType } = body;
  const headers = { "content-type": contentType };
  if (content.length <= PIECE_BYTES) return { content, headers };
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return {
    content: Readable.from(piecesOf(bytes), { objectMode: false, highWaterMark: 1 }),
    headers: { ...headers, "content-length": String(bytes.length) },
  };
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

export async function encodeBody(
  { contentType, bytesContentType }: RequestBody,
  body: unknown,
): Promise<EncodedBody> {
  if (bytesContentType !== undefined && body instanceof Uint8Array) {
    return { content: body, contentType: bytesContentType };
  }
  switch (contentType) {
    case "application/json":
      return { content: JSON.stringify(body ?? {}), contentType };
    case "application/x-www-form-urlencoded":
      return { content: new URLSearchParams(listGivenFields(body)).toString(), contentType };
    case "multipart/form-data":
      return encodeForm(formDataOf(body));
    case "application/vnd.denoland.eszip":
      return { content: body instanceof Uint8Array ? body : new Uint8Array(), contentType };
  }
}

/** Multipart chooses its content type together with its boundary. */
async function encodeForm(form: FormData): Promise<EncodedBody> {
  const encoded = new Response(form);
  const contentType = encoded.headers.get("content-type") ?? "multipart/form-data";
  return { content: await encoded.bytes(), contentType };
}

function listGivenFields(body: unknown): [string, string][] {
  return Object.entries(body ?? {}).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)] as [string, string]],
  );
}

/** Files become repeated parts with file names, everything else one JSON part (service, Edge functions). */
function formDataOf(body: unknown): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body ?? {}) as [string, unknown][]) {
    if (value === undefined) continue;
    if (isFileList(value)) {
      for (const file of value)
        form.append(name, new File([new Uint8Array(file.content)], file.name), file.name);
    } else {
      form.append(name, typeof value === "string" ? value : JSON.stringify(value));
    }
  }
  return form;
}

function isFileList(value: unknown): value is FilePart[] {
  return Array.isArray(value) && value.every((item) => filePart.safeParse(item).success);
}

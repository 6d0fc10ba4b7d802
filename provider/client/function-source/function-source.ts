import { type FormData, Response } from "undici";
import { z } from "zod";
import type { FilePart, Operation } from "../../../spec/operation";
import { ResponseSchemaError } from "../errors/errors";
import { parseJson } from "../parse-json";
import { resolveEntrypoint } from "./entrypoint";
import { requireWhole } from "../wire";
import type { WireAnswer } from "../transport/transport";

/** A function's source, as it is read back (service, Edge functions). */
export interface FunctionSource {
  /** Path of the module that starts: the `name` of one of the files. */
  readonly entrypointPath: string;
  /** All that the service sends in the part `metadata`. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Each with its path as `name`: a deploy takes them as they are. */
  readonly files: readonly FilePart[];
}

const metadataSchema = z.looseObject({ deno2_entrypoint_path: z.string().min(1) });

/** Takes a function's body in parts apart; what is missing or odd is an error, as half a source is none. */
export async function decodeFunctionSource(
  name: string,
  operation: Operation,
  answer: WireAnswer,
): Promise<FunctionSource> {
  requireWhole(name, operation, answer);
  const form = await parseForm(name, answer);
  const metadata = await parseMetadata(name, form);
  const files = await readFileParts(name, form);
  const paths = files.map((file) => file.name);
  const declared = metadata.deno2_entrypoint_path;
  const entrypointPath = resolveEntrypoint(paths, declared);
  if (entrypointPath === undefined) {
    const present = `${paths.slice(0, 10).join(", ")}${paths.length > 10 ? ", …" : ""}`;
    throw createSourceError(name, `its entrypoint ${declared} is not among its files: ${present}`);
  }
  return { entrypointPath, metadata, files };
}

async function parseForm(name: string, { headers, bytes }: WireAnswer): Promise<FormData> {
  const contentType = headers["content-type"] ?? "";
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(contentType)) {
    const was = contentType === "" ? "no content type" : contentType;
    throw createSourceError(name, `its form is ${was} instead of multipart/form-data`);
  }
  try {
    // oxlint-disable-next-line typescript/no-deprecated -- warns of answers without an end: this one is whole, and bounded
    return await new Response(bytes, { headers: { "content-type": contentType } }).formData();
  } catch (error) {
    const { cause } = error instanceof Error ? error : {};
    const why = cause instanceof Error ? cause.message : String(error);
    throw createSourceError(name, `its parts cannot be separated (${why})`);
  }
}

async function parseMetadata(name: string, form: FormData): Promise<z.output<typeof metadataSchema>> {
  const [part, ...others] = form.getAll("metadata");
  if (part === undefined || others.length > 0) {
    throw createSourceError(
      name,
      `it has ${part === undefined ? "no part" : `${others.length + 1} parts`} \`metadata\``,
    );
  }
  const text = typeof part === "string" ? part : await part.text();
  const parsed = metadataSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw createSourceError(name, "its part `metadata` is not a JSON object with `deno2_entrypoint_path`");
}

async function readFileParts(name: string, form: FormData): Promise<FilePart[]> {
  const files = new Map<string, FilePart>();
  for (const [field, value] of form) {
    if (field === "metadata") continue;
    const path = typeof value === "string" ? "" : value.name;
    if (typeof value === "string" || path === "")
      throw createSourceError(name, `its part \`${field}\` has no file name`);
    if (files.has(path)) throw createSourceError(name, `it has the file ${path} twice`);
    files.set(path, { name: path, content: new Uint8Array(await value.arrayBuffer()) });
  }
  if (files.size === 0) throw createSourceError(name, "it has no files");
  return [...files.values()];
}

function createSourceError(name: string, what: string): ResponseSchemaError {
  return new ResponseSchemaError(
    `${name}: the function's source cannot be read from the service's answer: ${what}.`,
    name,
    "",
  );
}

import { isNotFound, ResponseSchemaError } from "../../../client/errors/errors";
import type { FunctionSource } from "../../../client/function-source/function-source";
import { resolveEntrypoint } from "../../../client/function-source/entrypoint";
import type { Context } from "../../../define/context";
import type { FunctionRecord } from "../shared/edge-functions/calls";
import { DEFAULT_ENTRYPOINT, readSource } from "../shared/edge-functions/source";
import { SourceFault } from "../shared/edge-functions/problems";

/** Of all files together: what is imported stands in the program and in the state. */
const LARGEST_BYTES = 256 * 1024;

/** The inputs that an import declares of a source. */
interface ImportedSource {
  readonly files?: Record<string, string>;
  readonly entrypointPath?: string;
  readonly importMapPath?: string;
}

/** Why a source cannot stand in a program. */
class UndeclarableSourceError extends Error {}

/** The inputs that declare the source as the service has it; none, with a warning, where it cannot be declared inline. */
export async function readImportedSource(
  ctx: Context,
  ref: string,
  record: FunctionRecord,
): Promise<ImportedSource> {
  try {
    const inputs = toImportedSource(
      await ctx.api.parts.getFunctionBody({ ref, function_slug: record.slug }),
      record,
    );
    warnOfDollars(ctx, inputs);
    return inputs;
  } catch (error) {
    const why = findReason(error);
    if (why === undefined) throw error;
    ctx.warn(
      `the source was not imported: ${why}. The provider manages the function without it until the program declares \`sourceDir\` or \`files\`, which deploys it.`,
    );
    return {};
  }
}

/** In YAML two dollar signs stand for one, which the engine leaves out of account when it writes a program. */
function warnOfDollars(ctx: Context, { files = {} }: ImportedSource): void {
  const [path] = Object.keys(files).filter((each) => files[each]?.includes("$$"));
  if (path === undefined) return;
  ctx.warn(
    `${path} has two dollar signs in a row. In a YAML program, write four of them, because YAML reads two as one and \`pulumi import\` does not escape them.`,
  );
}

/** Undefined for an error after which another try may succeed. */
function findReason(error: unknown): string | undefined {
  if (error instanceof UndeclarableSourceError) return error.message;
  if (error instanceof SourceFault) return error.message.replace(/\.$/, "");
  if (error instanceof ResponseSchemaError) return error.message.replace(/\.$/, "");
  return isNotFound(error) ? "the service has none" : undefined;
}

function toImportedSource({ files, entrypointPath }: FunctionSource, record: FunctionRecord): ImportedSource {
  const bytes = files.reduce((sum, { content }) => sum + content.byteLength, 0);
  if (bytes > LARGEST_BYTES) {
    throw new UndeclarableSourceError(
      `its files have ${bytes} bytes, and at most ${LARGEST_BYTES} can be imported`,
    );
  }
  const texts = Object.fromEntries(files.map(({ name, content }) => [name, decodeText(name, content)]));
  const entrypoint = entrypointPath === DEFAULT_ENTRYPOINT ? {} : { entrypointPath };
  const inputs = { files: texts, ...entrypoint };
  const { importMap: usual } = readSource(inputs);
  const actual = findImportMap(record, Object.keys(texts), usual);
  return actual === undefined || actual === usual ? inputs : { ...inputs, importMapPath: actual };
}

/** As it is in the file: a mark at the beginning of a text is part of it; undefined where it is not text. */
export function decodeUtf8(content: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

function decodeText(path: string, content: Uint8Array): string {
  const text = decodeUtf8(content);
  if (text === undefined) throw new UndeclarableSourceError(`${path} is not text`);
  return text;
}

/** The import map that the function has; what would be taken for one, and is none, cannot be declared away. */
function findImportMap(
  { import_map_path: told, import_map: has }: FunctionRecord,
  paths: readonly string[],
  usual: string | undefined,
): string | undefined {
  if (told != null && told !== "") {
    const place = resolveEntrypoint(paths, told);
    if (place === undefined)
      throw new UndeclarableSourceError(`its import map ${told} is not among its files`);
    return place;
  }
  if (has === true && usual === undefined)
    throw new UndeclarableSourceError("the service does not return its import map");
  // An empty path means none (service, Edge functions).
  const hasNone = has === false || (has !== true && told === "");
  if (hasNone && usual !== undefined) {
    throw new UndeclarableSourceError(`it has no import map, but a deploy would use ${usual} as one`);
  }
  return usual;
}

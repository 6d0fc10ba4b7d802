import { z } from "zod";
import { local } from "../../../define/markers";
import { sourceFields } from "../shared/edge-functions/source-fields";
import type { CheckFailure, CheckResult } from "../../../define/resource";
import { LEFT_OUT } from "../shared/edge-functions/source-files";
import { problems } from "./problems";
import { hashSource, readSource, type SourceInputs } from "../shared/edge-functions/source";
import { SourceFault } from "../shared/edge-functions/problems";

const path = z.string().min(1);

/** The inputs that say what a function consists of; `sourceHash` tells when they mean something else. */
export const sourceInputs = {
  sourceDir: local(
    path.describe(
      `Source folder, relative to the program's folder. It is uploaded except for files that \`.gitignore\` and \`.funcignore\` exclude, ${LEFT_OUT}. Files elsewhere in the repository are uploaded if a module imports them by a literal path, an import map, a package.json or a workspace. An import that cannot be resolved is an error in the preview. Links are followed only to files in the folder. The service accepts a source of 2 MB and refuses one of 8 MB; its exact limit is unknown. Exactly one of \`sourceDir\` and \`files\` is required.`,
    ),
  ).optional(),
  files: local(
    z
      .record(path, z.string())
      .describe(
        "Inline source: file contents by relative path. Exactly one of `sourceDir` and `files` is required. `pulumi import` declares `files` if every file is text and the total size is at most 256 KiB.",
      ),
  ).optional(),
  ...sourceFields,
};

const sourceSchema = z.object(sourceInputs);
type DeclaredSource = Omit<SourceInputs, "functionsDir">;

/** Reads the source where it is known; a rule over the source inputs and the hash over what they name. */
export function checkSource(
  given: DeclaredSource,
  isUnknown: (name: keyof DeclaredSource) => boolean,
  before?: Readonly<Record<string, unknown>>,
): CheckResult<{ sourceHash?: string | undefined }> {
  const isGiven = (name: "sourceDir" | "files"): boolean => given[name] !== undefined || isUnknown(name);
  // Not every source can be imported: one that was left out is not managed until it is declared.
  const isImported =
    before !== undefined && before["sourceDir"] === undefined && before["files"] === undefined;
  if (isImported && !isGiven("sourceDir") && !isGiven("files"))
    return { failures: checkPartsWithoutSource(given) };
  if (isGiven("sourceDir") === isGiven("files")) {
    const reason = isGiven("files") ? problems.sourceTwice.message() : "give `sourceDir`, or `files`";
    return { failures: [{ path: isGiven("files") ? "files" : "sourceDir", reason }] };
  }
  const known = sourceSchema.safeParse(given);
  if (!known.success || sourceSchema.keyof().options.some(isUnknown)) return {};
  try {
    const source = readSource(known.data);
    const { syntaxFault, warnings } = source;
    const sourceHash = hashSource(source);
    if (syntaxFault === undefined) return { computed: { sourceHash }, warnings };
    if (before?.["sourceHash"] === sourceHash)
      return { computed: { sourceHash }, warnings: [...warnings, syntaxFault] };
    return { failures: [{ path: isGiven("files") ? "files" : "sourceDir", reason: syntaxFault }] };
  } catch (error) {
    if (!(error instanceof SourceFault)) throw error;
    return { failures: [{ path: error.property, reason: error.message }] };
  }
}

/** What says where in a source something is has no effect without one. */
function checkPartsWithoutSource(given: DeclaredSource): CheckFailure[] {
  return (["entrypointPath", "importMapPath", "staticPatterns", "allowUnparsed"] as const).flatMap((path) =>
    given[path] === undefined ? [] : [{ path, reason: problems.withoutSource.message() }],
  );
}

import { z } from "zod";
import { local } from "../../../define/markers";
import { sourceFields } from "../../../converge/edge-functions/source-fields";
import type { CheckResult } from "../../../define/resource";
import { problems } from "./problems";
import { readSource, type SourceInputs } from "../../../converge/edge-functions/source";
import { SourceFault } from "../../../converge/edge-functions/source-fault";
import { hashSource } from "../../../converge/edge-functions/source-upload";

const path = z.string().min(1);

/** The inputs that say what a function consists of; `sourceHash` tells when they mean something else. */
export const sourceInputs = {
  sourceDir: local(
    path.describe(
      "Source folder, relative to the program's folder. Deploys every file in it except those that `.gitignore` and `.funcignore` exclude, and every file outside it that a module imports by a literal path. Exactly one of `sourceDir` and `files` is required.",
    ),
  ).optional(),
  files: local(
    z
      .record(path, z.string())
      .describe(
        "Inline source: file contents by relative path. Exactly one of `sourceDir` and `files` is required. An import declares it if every file is text and the total size is at most 256 KiB.",
      ),
  ).optional(),
  ...sourceFields,
};

const sourceSchema = z.object(sourceInputs);

/** Reads the source where it is known; a rule over the source inputs and the hash over what they name. */
export function checkSource(
  given: Partial<SourceInputs>,
  isUnknown: (name: keyof SourceInputs) => boolean,
  before?: Readonly<Record<string, unknown>>,
): CheckResult<{ sourceHash?: string | undefined }> {
  const isGiven = (name: "sourceDir" | "files"): boolean => given[name] !== undefined || isUnknown(name);
  // Not every source can be imported: one that was left out is not managed until it is declared.
  const isImported =
    before !== undefined && before["sourceDir"] === undefined && before["files"] === undefined;
  if (isImported && !isGiven("sourceDir") && !isGiven("files")) return {};
  if (isGiven("sourceDir") === isGiven("files")) {
    const reason = isGiven("files") ? problems.sourceTwice.message() : "give `sourceDir`, or `files`";
    return { failures: [{ path: isGiven("files") ? "files" : "sourceDir", reason }] };
  }
  const known = sourceSchema.safeParse(given);
  if (!known.success || sourceSchema.keyof().options.some(isUnknown)) return {};
  try {
    return { computed: { sourceHash: hashSource(readSource(known.data)) } };
  } catch (error) {
    if (!(error instanceof SourceFault)) throw error;
    return { failures: [{ path: error.property, reason: error.message }] };
  }
}

import { join } from "node:path";
import { z } from "zod";
import { readSource, type SourceInputs } from "../../../converge/edge-functions/source";
import { readable, SourceFault } from "../../../converge/edge-functions/source-fault";
import { namesIn, refuseEmpty } from "../../../converge/empty-source";
import { functionSlug, sourceFields, verifyJwt } from "../../../converge/edge-functions/source-fields";
import { hashSource } from "../../../converge/edge-functions/source-upload";
import { entriesOf, statsOf } from "../../../converge/regular-files";
import { traitsOf } from "../../../define/markers";
import type { CheckFailure, CheckResult } from "../../../define/resource";
import { problems } from "./problems";

/** What the program says of one function. */
export const functionOptions = z
  .strictObject({
    verifyJwt,
    ...sourceFields,
  })
  .meta({ id: "FunctionSetOptions", description: "Settings of one function of a set." });

/** What a function is to be: a change of the hash deploys it. */
export const deployment = z
  .object({
    sourceHash: z.string().describe("SHA-256 of everything deployed."),
    verifyJwt: z
      .boolean()
      .describe("Whether a call requires a valid JWT, where that is declared.")
      .optional(),
  })
  .meta({ id: "FunctionSetDeployment", description: "What one function of a set is to be." });

export type Deployment = z.output<typeof deployment>;
export type Deployments = Readonly<Record<string, Deployment>>;

/** The inputs that say which functions a set has. */
export interface SetSource {
  readonly sourceDir?: string | undefined;
  readonly functions?: Readonly<Record<string, z.output<typeof functionOptions>>> | undefined;
  readonly prune?: boolean | undefined;
  readonly allowEmpty?: boolean | undefined;
}

/** Where the source of one function is, and what the program says of it. */
export function sourceOf({ sourceDir = "", functions = {} }: SetSource, slug: string): SourceInputs {
  return { ...functions[slug], sourceDir: join(sourceDir, slug) };
}

/** The slugs alone: those of a state, or those that are declared as far as the folder can be read. */
export function declaredSlugs({
  names,
  sourceDir,
}: SetSource & { readonly names?: readonly string[] }): readonly string[] {
  if (names !== undefined) return names;
  try {
    return typeof sourceDir === "string" ? slugsIn(sourceDir) : [];
  } catch {
    // The check tells of a folder that cannot be read.
    return [];
  }
}

/** Reads every source where it is known: what is wrong with them, and what each function is to be. */
export function checkSet(
  given: SetSource,
  isUnknown: (name: keyof SetSource) => boolean,
  before: Readonly<Record<string, unknown>> = {},
): CheckResult<{ deployments?: Record<string, Deployment> | undefined }> {
  const { sourceDir, functions = {} } = given;
  if (sourceDir === undefined || isUnknown("functions")) return {};
  const failures: CheckFailure[] = [];
  const deployments: Record<string, Deployment> = {};
  const orFailure = (at: (fault: SourceFault) => CheckFailure, work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof SourceFault)) throw error;
      failures.push(at(error));
    }
  };
  let slugs: string[] = [];
  orFailure(
    ({ message }) => ({ path: "sourceDir", reason: message }),
    () => (slugs = slugsIn(sourceDir)),
  );
  if (failures.length === 0 && slugs.length === 0 && !isUnknown("allowEmpty"))
    failures.push(...refuseEmpty("sourceDir", sourceDir, given, namesIn(before["deployments"])));
  for (const name of slugs) {
    if (!functionSlug.safeParse(name).success) {
      const form = traitsOf(functionSlug).form ?? "";
      failures.push({ path: "sourceDir", reason: problems.noSlug.message({ name, form }) });
      continue;
    }
    orFailure(
      ({ message }) => ({
        path: "sourceDir",
        reason: problems.unusableSource.message({ name, fault: message }),
      }),
      () => (deployments[name] = deploymentOf(given, name)),
    );
  }
  for (const name of Object.keys(functions).filter((each) => !slugs.includes(each))) {
    failures.push({
      path: `functions.${name}`,
      reason: problems.noFolder.message({ name, folder: sourceDir }),
    });
  }
  return failures.length > 0 ? { failures } : { computed: { deployments } };
}

function deploymentOf(given: SetSource, slug: string): Deployment {
  const verifyJwt = given.functions?.[slug]?.verifyJwt;
  const sourceHash = hashSource(readSource(sourceOf(given, slug)));
  return verifyJwt === undefined ? { sourceHash } : { sourceHash, verifyJwt };
}

/** The folders that are functions: those that neither begin with `_`, which are shared, nor are hidden or installed. */
function slugsIn(folder: string): string[] {
  const entries = readable("sourceDir", () => entriesOf(folder)).filter(
    ({ name }) => !/^[._]/.test(name) && name !== "node_modules",
  );
  const linked = entries.find(
    (entry) => entry.isSymbolicLink() && statsOf(join(folder, entry.name))?.isDirectory(),
  );
  if (linked !== undefined)
    throw new SourceFault("sourceDir", problems.linkedFolder.message({ name: linked.name }));
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

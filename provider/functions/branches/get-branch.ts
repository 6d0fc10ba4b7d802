import { z } from "zod";
import { InvalidInputError } from "../../client/errors/errors";
import { defineProblem } from "../../client/errors/problem";
import type { Context } from "../../define/context";
import { defineFunction } from "../../define/function";
import { anyRef } from "../../define/shared-inputs";
import {
  listBranchesOnce,
  findBranchesBy,
  getConnection,
  type BranchRecord,
} from "../../resources/branches/branch/calls";
import { branchOutputs } from "../../resources/branches/branch/fields";
import { problems as branchProblems } from "../../resources/branches/shared/branch-problems";
import { fromWire } from "../../resources/branches/branch/wire";
import { createNotFoundError, ofProject, explainMissingProject } from "../../lookup/missing-errors";
import { requireExactlyOne, formatNames, requireOnly, formatIdentity } from "../one-of-several";
import { toFoundShape, pickPresentFields, shareInFlight } from "../answers";

const inputs = z
  .strictObject({
    projectRef: anyRef.describe(
      "Reference of the parent project, 20 lowercase letters. It must not be a branch.",
    ),
    name: z.string().min(1).describe("Exact name of the branch.").optional(),
    ref: anyRef.describe("Reference of the branch, 20 lowercase letters.").optional(),
    branchId: z.uuid().describe("Identifier of the branch, a UUID.").optional(),
  })
  .superRefine((given, check) => {
    requireExactlyOne(given, ["name", "ref", "branchId"], check);
  });

/** What costs further calls only a resource reads. */
const APART = {
  pooledConnectionString: true,
  sessionConnectionString: true,
  publishableKey: true,
  secretKey: true,
} as const;

const { ref, ...known } = branchOutputs.omit(APART).shape;

const outputs = z.object({
  ref,
  ...toFoundShape(known),
  name: z.string().describe("Name of the branch.").optional(),
  gitBranch: z.string().describe("Branch of the linked Git repository that is deployed.").optional(),
  persistent: z.boolean().describe("Whether the branch outlives its Git branch.").optional(),
  notifyUrl: z
    .string()
    .describe("URL that the service calls when the state of the branch changes.")
    .optional(),
  withData: z.boolean().describe("Whether the project's data was copied.").optional(),
  postgresEngine: z
    .string()
    .describe("Postgres engine of the branch's own database, such as `17`.")
    .optional(),
  releaseChannel: z.string().describe("Release channel of the Postgres image, such as `ga`.").optional(),
});

const problems = {
  ofBranch: branchProblems.ofBranch,
  ...ofProject,
  noBranch: defineProblem({
    says: "The project {ref} has no branch with the {wanted}: {remedy}.",
    means: "The project has no such branch.",
    remedy: "Check the value, and that the branch has not been deleted",
  }),
};

/** A branch that exists, and how its own database is reached. */
export const getBranch = defineFunction({
  name: "getBranch",
  description:
    "Reads a branch of a project by its name, reference or identifier, with the connection to its database. The password and the JWT secret are Pulumi secrets. The default branch represents the project itself and has no separate connection.",
  inputs,
  outputs,
  problems,
  async run(ctx, { projectRef, ...identity }) {
    const found = await explainMissingProject(projectRef, findByIdentity(ctx, projectRef, identity));
    const branch = requireOne(found, projectRef, identity);
    const key = `branch-connection:${branch.project_ref}`;
    const connection = await shareInFlight(ctx, key, () => getConnection(ctx, branch));
    const { inputs: seen, outputs: others } = fromWire(branch, projectRef, { connection });
    return {
      ref: branch.project_ref,
      ...pickPresentFields(others),
      ...pickPresentFields({
        gitBranch: seen.gitBranch,
        persistent: seen.persistent,
        notifyUrl: seen.notifyUrl,
        withData: seen.withData,
        postgresEngine: seen.postgresEngine,
        releaseChannel: seen.releaseChannel,
        name: seen.name,
      }),
    };
  },
});

interface BranchIdentity {
  readonly name?: string | undefined;
  readonly ref?: string | undefined;
  readonly branchId?: string | undefined;
}

/** The arguments have passed the check that one of the three is given. */
async function findByIdentity(
  ctx: Context,
  parentRef: string,
  { name, ref, branchId = "" }: BranchIdentity,
): Promise<BranchRecord[]> {
  if (name !== undefined) return findBranchesBy(ctx, parentRef, "name", name);
  if (ref === undefined) return findBranchesBy(ctx, parentRef, "id", branchId);
  return (await listBranchesOnce(ctx, parentRef)).filter(({ project_ref }) => project_ref === ref);
}

function requireOne(
  found: readonly BranchRecord[],
  parentRef: string,
  identity: BranchIdentity,
): BranchRecord {
  const wanted = formatIdentity({ ...identity });
  return requireOnly(
    found,
    () => createNotFoundError("listBranches", problems.noBranch.message({ ref: parentRef, wanted })),
    () => {
      const candidates = formatNames(
        found,
        (each) => `${each.project_ref} (${each.status ?? "no status"})`,
        "; ",
      );
      return new InvalidInputError(
        "name",
        `The project ${parentRef} has ${found.length} branches with the ${wanted}: ${candidates}. Give \`ref\` to choose one of them.`,
      );
    },
  );
}

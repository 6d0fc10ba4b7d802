import { z } from "zod";
import { defineProblem } from "../../client/errors/problem";
import { defineFunction } from "../../define/function";
import { formed } from "../../define/markers";
import { anyRef } from "../../define/shared-inputs";
import { readDifference } from "../../resources/branches/shared/branch-diff";
import { explainMissing } from "../../lookup/missing-errors";
import { pickPresentFields, shareInFlight } from "../answers";

const inputs = z.strictObject({
  branchRef: anyRef.describe("Reference of the branch to compare, 20 lowercase letters."),
  includedSchemas: z
    .array(formed(z.string().regex(/^[^,]+$/), "a name without commas", "public"))
    .min(1)
    .describe("Database schemas to compare. Default: all that the service compares.")
    .optional(),
  pgdelta: z.boolean().describe("Whether to use the service's alternative comparison engine.").optional(),
});

const outputs = z.object({
  sql: z
    .string()
    .describe(
      "SQL that changes the schema of the parent project to that of the branch, without the statements that the service puts into every difference.",
    ),
  hasChanges: z.boolean().describe("Whether the two schemas differ: whether the SQL has a statement."),
});

const problems = {
  noBranch: defineProblem({
    says: "No branch has the reference {ref}: {remedy}.",
    means: "The service answered 404: the branch does not exist, or the token's owner cannot see it.",
    remedy: "Check `branchRef`, and that the branch has not been deleted",
  }),
};

/** How the database of a branch differs from that of its project. */
export const getBranchDiff = defineFunction({
  name: "getBranchDiff",
  description:
    "Compares the database schema of a branch with that of its parent project, as SQL. The default comparison leaves out revokes, forced row security, comments, default privileges and grants on columns. It changes nothing, but the service requires the permission to write branches. The default branch cannot be compared.",
  inputs,
  outputs,
  problems,
  async run(ctx, { branchRef, includedSchemas, pgdelta }) {
    const query = {
      branch_id_or_ref: branchRef,
      ...pickPresentFields({ included_schemas: includedSchemas?.join(","), pgdelta }),
    };
    const answer = await explainMissing(
      shareInFlight(ctx, `branch-diff:${JSON.stringify(query)}`, () => ctx.api.diffBranch(query)),
      problems.noBranch.message({ ref: branchRef }),
    );
    const { sql, statements } = readDifference(answer);
    return { sql, hasChanges: statements.length > 0 };
  },
});

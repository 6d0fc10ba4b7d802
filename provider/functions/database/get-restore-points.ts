import { z } from "zod";
import { defineFunction } from "../../define/function";
import { projectRef } from "../../define/shared-arguments";
import { ofProject, explainMissingProject } from "../../lookup/missing-errors";
import { OwnerExistsError } from "../../lookup/owner";
import {
  explainUnavailable,
  restorePointName,
  restorePointProblems,
} from "../../resources/database/shared/restore-points";
import { pickPresentFields, shareInFlight } from "../answers";

const inputs = z.strictObject({
  projectRef,
  name: restorePointName.describe("Name of a restore point. Default: the latest one.").optional(),
});

const restorePoint = z
  .object({
    name: z.string().describe("Name of the restore point."),
    status: z.string().describe("`PENDING`, `AVAILABLE`, `REMOVED` or `FAILED`.").optional(),
    completedAt: z.string().describe("Time at which it was completed, ISO 8601.").optional(),
  })
  .describe("A named point to which a database can be taken back.");

const outputs = z.object({
  restorePoints: z
    .array(restorePoint)
    .describe(
      "The restore point, as a list of one; empty if there is none. The service returns one at a time.",
    ),
});

/** A restore point of a project's database. */
export const getRestorePoints = defineFunction({
  name: "getRestorePoints",
  description:
    "Reads the restore point of a name, or the latest one of a project. Some installations do not have this operation.",
  inputs,
  outputs,
  problems: { ...ofProject, ...restorePointProblems },
  async run(ctx, { projectRef: ref, name }) {
    const query = { ref, ...(name !== undefined && { name }) };
    const found = await explainMissingProject(
      ref,
      shareInFlight(ctx, `restore-point:${JSON.stringify(query)}`, () =>
        ctx.api
          .ofEveryProject(ref, () => ctx.api.getRestorePoint(query))
          .catch((error: unknown) => {
            // The project is there, hence it is the point that is not.
            if (error instanceof OwnerExistsError) return undefined;
            throw explainUnavailable(error, restorePointProblems);
          }),
      ),
    );
    if (found === undefined) return { restorePoints: [] };
    const { name: shown, status, completed_on: completedAt } = found;
    return { restorePoints: [{ name: shown, ...pickPresentFields({ status, completedAt }) }] };
  },
});

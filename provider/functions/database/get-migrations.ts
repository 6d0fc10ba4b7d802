import { z } from "zod";
import { ForbiddenError } from "../../client/errors/errors";
import { defineProblem } from "../../client/errors/problem";
import { defineFunction } from "../../define/function";
import { ofProject, explainMissingProject } from "../../lookup/missing-errors";
import { projectRef } from "../../define/shared-arguments";
import { pickPresentFields, shareInFlight } from "../answers";

const inputs = z.strictObject({ projectRef });

const migration = z
  .object({
    version: z.string().describe("Version of digits. Migrations are ordered by it."),
    name: z.string().describe("Name, if it was recorded with one.").optional(),
  })
  .describe("A migration in the history of a database.");

const outputs = z.object({
  migrations: z.array(migration).describe("All migrations of the history, in the service's order."),
});

const problems = {
  ...ofProject,
  refused: defineProblem({
    says: "The service denied access to the migrations of {ref}: {remedy}.",
    means:
      "The service answered 403: the plan or the application may not use the endpoint, or the token lacks a permission.",
    remedy: "Use a token with the scope database:read and the permission database_migrations_read",
  }),
};

/** The history of migrations of a database. */
export const getMigrations = defineFunction({
  name: "getMigrations",
  description:
    "Lists the migrations in the history of a project's database. Available to selected OAuth applications, and on some plans to personal tokens.",
  inputs,
  outputs,
  problems,
  async run(ctx, { projectRef: ref }) {
    const listing = shareInFlight(ctx, `migrations:${ref}`, () => ctx.api.listMigrations({ ref }));
    const found = await explainMissingProject(ref, explainRefusal(ref, listing));
    return { migrations: found.map(({ version, name }) => ({ version, ...pickPresentFields({ name }) })) };
  },
});

async function explainRefusal<T>(ref: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
    const { status, operation, serviceMessage, requestId } = error;
    const message = `${problems.refused.message({ ref })} The service says: ${serviceMessage}.`;
    throw new ForbiddenError({ status, operation, serviceMessage, requestId, message });
  }
}

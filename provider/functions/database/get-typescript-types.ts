import { z } from "zod";
import { defineFunction } from "../../define/function";
import { ofProject } from "../../lookup/missing-errors";
import { projectRef } from "../../define/shared-arguments";
import { pickPresentFields, readInProject } from "../answers";

const inputs = z.strictObject({
  projectRef,
  includedSchemas: z
    .array(z.string().min(1).describe("Name of a schema of the database."))
    .min(1)
    .describe("Schemas whose tables, views, functions and enums are included. Default: `public`.")
    .optional(),
});

const outputs = z.object({
  types: z.string().describe("Text of a TypeScript module that exports the types.").optional(),
});

/** The TypeScript types of a database. */
export const getTypescriptTypes = defineFunction({
  name: "getTypescriptTypes",
  description: "Generates TypeScript types from the schemas of a project's database.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref, includedSchemas }) {
    const query = {
      ref,
      ...(includedSchemas !== undefined && { included_schemas: includedSchemas.join(",") }),
    };
    const { types } = await readInProject(ctx, ref, `typescript-types:${JSON.stringify(query)}`, () =>
      ctx.api.getTypescriptTypes(query),
    );
    return pickPresentFields({ types });
  },
});

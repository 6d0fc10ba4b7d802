import { z } from "zod";
import { projectRef } from "../../define/shared-arguments";
import { defineFunction } from "../../define/function";
import { ofProject } from "../../lookup/missing-errors";
import { readInProject } from "../answers";

const inputs = z.strictObject({
  projectRef,
  schema: z.string().min(1).describe("Schema of the database. Default: `public`.").optional(),
});

const outputs = z.object({
  document: z.string().describe("The OpenAPI document, as JSON."),
});

/** What the data API serves of a schema. */
export const getDatabaseOpenapi = defineFunction({
  name: "getDatabaseOpenapi",
  description:
    "Reads the OpenAPI document of a project's data API, which describes the tables, views and functions of a schema. Some installations do not have this operation.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref, schema }) {
    const query = { ref, ...(schema !== undefined && { schema }) };
    const found = await readInProject(ctx, ref, `openapi:${JSON.stringify(query)}`, () =>
      ctx.api.getDatabaseOpenapi(query),
    );
    return { document: JSON.stringify(found) };
  },
});

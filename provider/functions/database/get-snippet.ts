import { z } from "zod";
import { defineProblem } from "../../client/errors/problem";
import { defineFunction } from "../../define/function";
import { formed } from "../../define/markers";
import { explainMissing } from "../../lookup/missing-errors";
import { pickPresentFields, shareInFlight } from "../answers";
import { snippetFields, toSnippet } from "./get-snippets";

const inputs = z.strictObject({
  snippetId: formed(z.uuid(), "a UUID", "0f8fad5b-d9cb-469f-a165-70867728950e").describe(
    "Identifier of the snippet, a UUID.",
  ),
});

const outputs = z.object({
  ...snippetFields.shape,
  sql: z.string().describe("The SQL of the snippet.").optional(),
});

const problems = {
  noSnippet: defineProblem({
    says: "No snippet has the identifier {id}: {remedy}.",
    means: "The service answered 404 or 406: the snippet does not exist, or the token's owner cannot see it.",
    remedy: "Check `snippetId`, for example with `getSnippets`",
  }),
};

/** A saved query with its SQL. */
export const getSnippet = defineFunction({
  name: "getSnippet",
  description: "Reads a saved query by its identifier, with its SQL.",
  inputs,
  outputs,
  problems,
  async run(ctx, { snippetId: id }) {
    const found = await explainMissing(
      shareInFlight(ctx, `snippet:${id}`, () => ctx.api.getSnippet({ id })),
      problems.noSnippet.message({ id }),
    );
    return { ...toSnippet(found), ...pickPresentFields({ sql: found.content?.sql }) };
  },
});

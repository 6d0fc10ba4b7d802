import { z } from "zod";
import { listSnippets } from "../../../spec/operations/snippets";
import type { Api } from "../../define/context";
import { defineFunction } from "../../define/function";
import { openEnum } from "../../define/open-values";
import { ofProject, explainMissingProject } from "../../lookup/missing-errors";
import { pickPresentFields, shareInFlight } from "../answers";
import { projectRef } from "../../define/shared-arguments";

/** What snippets are sorted by, and its word in the API. */
const SORTS = { name: "name", createdAt: "inserted_at" } as const;
const { sort_order: sortOrder } = listSnippets.query.shape;

const inputs = z.strictObject({
  projectRef: projectRef
    .describe("Reference of the project, 20 lowercase letters. Default: all projects.")
    .optional(),
  sortBy: z
    .enum(["name", "createdAt"])
    .meta({ id: "SnippetSort", description: "What snippets are sorted by." })
    .describe("Sort key. Default: the service's choice.")
    .optional(),
  sortOrder: openEnum(sortOrder.unwrap().meta({ id: "SnippetOrder", description: "The order of snippets." }))
    .describe("Sort order, ascending or descending. Default: the service's choice.")
    .optional(),
});

const person = z
  .object({
    id: z.number().describe("Number of the user.").optional(),
    username: z.string().describe("Name of the user.").optional(),
  })
  .meta({ id: "SnippetUser", description: "A user who wrote a snippet." });

/** What the listing has of a snippet. */
export const snippetFields = z
  .object({
    snippetId: z.string().describe("Identifier of the snippet, a UUID."),
    name: z.string().describe("Name of the snippet.").optional(),
    description: z.string().describe("Description by its owner.").optional(),
    type: z.string().describe("`sql`.").optional(),
    visibility: z.string().describe("Visibility: `user`, `project`, `org` or `public`.").optional(),
    favorite: z.boolean().describe("Whether it is a favorite.").optional(),
    projectName: z.string().describe("Name of the project.").optional(),
    owner: person.describe("Owner.").optional(),
    updatedBy: person.describe("Author of the last change.").optional(),
    createdAt: z.string().describe("Creation time, ISO 8601.").optional(),
    updatedAt: z.string().describe("Time of the last change, ISO 8601.").optional(),
  })
  .describe("A saved query, without its SQL.");

const outputs = z.object({
  snippets: z.array(snippetFields).describe("All snippets that the token's owner can see."),
});

type WireSnippet = Awaited<ReturnType<Api["listSnippets"]>>[number];

export function toSnippet(record: WireSnippet): z.output<typeof snippetFields> {
  const { id, name, description, type, visibility, favorite, project, owner, updated_by } = record;
  return {
    snippetId: id,
    ...pickPresentFields({
      ...{ name, description, type, visibility, favorite },
      projectName: project?.name,
      owner: owner == null ? undefined : toPerson(owner),
      updatedBy: updated_by == null ? undefined : toPerson(updated_by),
      createdAt: record.inserted_at,
      updatedAt: record.updated_at,
    }),
  };
}

function toPerson({ id, username }: NonNullable<WireSnippet["owner"]>): z.output<typeof person> {
  return pickPresentFields({ id, username });
}

/** The saved queries of a project, or of all projects. */
export const getSnippets = defineFunction({
  name: "getSnippets",
  description:
    "Lists the saved queries of one project or of all that the token's owner can see, without their SQL.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref, sortBy: by, sortOrder: order }) {
    const query = pickPresentFields({ project_ref: ref, sort_by: by && SORTS[by], sort_order: order });
    const listing = shareInFlight(ctx, `snippets:${JSON.stringify(query)}`, () =>
      ctx.api.listSnippets(query),
    );
    const found = await (ref === undefined ? listing : explainMissingProject(ref, listing));
    return { snippets: found.map(toSnippet) };
  },
});

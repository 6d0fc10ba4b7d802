import { z } from "zod";
import { identifier } from "../identifier";
import { answers, operation, answersLarge } from "../operation";
import { projectRef } from "../shared-fields";

/** Who sees a snippet. */
export const snippetVisibility = z.enum(["user", "project", "org", "public"]);

const snippetUser = z.object({ id: z.number(), username: z.string() });

const snippetSummary = z.object({
  id: identifier(z.string()),
  inserted_at: z.string(),
  updated_at: z.string(),
  type: z.literal("sql"),
  visibility: snippetVisibility,
  name: z.string(),
  description: z.string().nullable(),
  project: z.object({ id: z.number(), name: z.string() }),
  owner: snippetUser,
  updated_by: snippetUser,
  favorite: z.boolean(),
});

export const snippetList = z.object({ data: z.array(snippetSummary), cursor: z.string().optional() });

export const snippetResponse = snippetSummary.extend({
  content: z.object({
    favorite: z.boolean().optional().meta({ deprecated: true }),
    schema_version: z.string(),
    sql: z.string(),
  }),
});

/** `GET /v1/snippets` */
export const listSnippets = operation({
  method: "GET",
  path: "/v1/snippets",
  query: z.object({
    project_ref: projectRef.optional(),
    cursor: z.string().optional(),
    limit: z.string().optional(),
    sort_by: z.enum(["name", "inserted_at"]).optional(),
    sort_order: z.enum(["asc", "desc"]).optional(),
  }),
  success: answers(200, snippetList),
  errors: [500],
  scope: "database:read",
  permissions: [["snippets_read"]],
});

/** `GET /v1/snippets/{id}` */
export const getSnippet = operation({
  method: "GET",
  path: "/v1/snippets/{id}",
  params: z.object({ id: z.uuid() }),
  success: answersLarge(200, snippetResponse),
  errors: [500],
  scope: "database:read",
  permissions: [["snippets_read"]],
});

export const snippetsOperations = { listSnippets, getSnippet };

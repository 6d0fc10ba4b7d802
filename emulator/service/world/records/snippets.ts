import { z } from "zod";
import { snippetVisibility } from "../../../../spec/operations/snippets";
import { time } from "./fields";

export type SnippetVisibility = z.infer<typeof snippetVisibility>;

/** A query that a user keeps in the service; its times are milliseconds since the epoch. */
export const snippetRecord = z.strictObject({
  id: z.string(),
  projectRef: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  sql: z.string(),
  visibility: snippetVisibility,
  favorite: z.boolean(),
  /** Name of a user, as in the user's tokens. */
  owner: z.string(),
  updatedBy: z.string(),
  insertedAt: time,
  updatedAt: time,
});
export type SnippetRecord = z.infer<typeof snippetRecord>;

/** What a snippet is made of; the API itself makes none. */
export interface SnippetSeed {
  readonly projectRef: string;
  readonly name: string;
  readonly sql: string;
  readonly description?: string;
  /** `user` when absent: for its owner only. */
  readonly visibility?: SnippetVisibility;
  readonly favorite?: boolean;
  /** `owner`, the user of tokens that name none, when absent. */
  readonly owner?: string;
}

export function newSnippet(seed: SnippetSeed, id: string, now: number): SnippetRecord {
  const owner = seed.owner ?? "owner";
  return {
    id,
    projectRef: seed.projectRef,
    name: seed.name,
    description: seed.description ?? null,
    sql: seed.sql,
    visibility: seed.visibility ?? "user",
    favorite: seed.favorite ?? false,
    owner,
    updatedBy: owner,
    insertedAt: now,
    updatedAt: now,
  };
}

import type { Answer } from "../../../spec/operation";
import type { Operations } from "../../../spec/table";

type Snippet = Answer<Operations["getSnippet"]>;
export type SnippetVisibility = Snippet["visibility"];

/** A query that a user keeps in the service; its times are milliseconds since the epoch. */
export interface SnippetRecord {
  readonly id: string;
  readonly projectRef: string;
  name: string;
  description: string | null;
  sql: string;
  visibility: SnippetVisibility;
  favorite: boolean;
  /** Name of a user, as in the user's tokens. */
  readonly owner: string;
  updatedBy: string;
  readonly insertedAt: number;
  updatedAt: number;
}

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

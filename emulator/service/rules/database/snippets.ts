import { z } from "zod";
import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import { type CallSource, operator, userNameOf, userNumberOf, reaches } from "../../access/caller";
import type { Handler } from "../shared/handler";
import type { World } from "../../world/world";
import { projectAt, removeExpired } from "../shared/project-at";
import { derivedBytes } from "../../world/derived-bytes";
import { isRemoved } from "../shared/project-status";
import type { ProjectRecord } from "../../world/records/project";
import { newSnippet, type SnippetRecord, type SnippetSeed } from "../../world/records/snippets";
import { Refusal } from "../../answers/refusal";

type Summary = OperationAnswer<Operations["listSnippets"]>["data"][number];

/** Greatest page, and the page without a `limit`, whose default is unknown. */
const PAGE_SIZE = 100;

/** Newest first unless the query sorts otherwise, which is unknown; page after page by cursor. */
const listSnippets: Handler<Operations["listSnippets"]> = ({ query, world, caller }) => {
  removeExpired(world);
  const order: SnippetOrder = { by: query.sort_by ?? "inserted_at", direction: query.sort_order ?? "desc" };
  const limit = readLimit(query.limit);
  const cursor = query.cursor === undefined ? undefined : readCursor(query.cursor, order);
  const wanted = query.project_ref === undefined ? undefined : projectAt(world, query.project_ref).ref;
  const found = [...world.state.snippets.values()]
    .filter(({ projectRef }) => wanted === undefined || projectRef === wanted)
    .flatMap((snippet) => {
      const project = projectOf(world, snippet);
      return project !== undefined && isVisible(snippet, project, caller) ? [{ snippet, project }] : [];
    })
    .filter(({ snippet }) => cursor === undefined || isAfter(snippet, cursor, order))
    .sort((left, right) => (isAfter(left.snippet, right.snippet, order) ? 1 : -1));
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map(({ snippet, project }) => viewSummary(snippet, project)),
    ...(last !== undefined && found.length > page.length ? { cursor: cursorAfter(last.snippet, order) } : {}),
  };
};

const getSnippet: Handler<Operations["getSnippet"]> = ({ params, world, caller }) => {
  removeExpired(world);
  const snippet = world.state.snippets.get(params.id);
  const project = snippet && projectOf(world, snippet);
  if (snippet === undefined || project === undefined || !isVisible(snippet, project, caller)) {
    // service, Snippets.
    const errorEventId = derivedBytes(`${params.id} error`, 16).toString("hex");
    throw new Refusal(406, "Failed to retrieve SQL snippet", {}, { errorEventId });
  }
  return {
    ...viewSummary(snippet, project),
    content: { favorite: snippet.favorite, schema_version: "1.0", sql: snippet.sql },
  };
};

/** As a user does in a browser. */
export function createSnippet(world: World, seed: SnippetSeed): string {
  const { ref } = projectAt(world, seed.projectRef);
  const id = world.newId();
  world.state.snippets.set(id, newSnippet({ ...seed, projectRef: ref }, id, world.clock.now()));
  return id;
}

/** The interface description gives `limit` as a text with bounds of a number: 1 to 100. */
function readLimit(text: string | undefined): number {
  if (text === undefined) return PAGE_SIZE;
  const limit = /^\d+$/.test(text) ? Number(text) : NaN;
  if (limit >= 1 && limit <= PAGE_SIZE) return limit;
  throw new Refusal(400, `limit: Expected a whole number from 1 to ${PAGE_SIZE}, received ${text}`);
}

/** A snippet goes with its project. */
function projectOf(world: World, { projectRef }: SnippetRecord): ProjectRecord | undefined {
  const project = world.state.projects.get(projectRef);
  return project === undefined || isRemoved(world, project) ? undefined : project;
}

/** One of visibility `user` is its owner's; an operator sees all. */
function isVisible(
  { visibility, owner }: SnippetRecord,
  { organizationSlug }: ProjectRecord,
  caller: CallSource,
): boolean {
  if (!reaches(caller, organizationSlug)) return false;
  return visibility !== "user" || owner === userNameOf(caller) || caller.identity === operator.identity;
}

function viewSummary(snippet: SnippetRecord, project: ProjectRecord): Summary {
  return {
    id: snippet.id,
    inserted_at: new Date(snippet.insertedAt).toISOString(),
    updated_at: new Date(snippet.updatedAt).toISOString(),
    type: "sql",
    visibility: snippet.visibility,
    name: snippet.name,
    description: snippet.description,
    project: { id: project.number, name: project.name },
    owner: viewUser(snippet.owner),
    updated_by: viewUser(snippet.updatedBy),
    favorite: snippet.favorite,
  };
}

function viewUser(username: string): Summary["owner"] {
  return { id: userNumberOf(username), username };
}

interface SnippetOrder {
  readonly by: "name" | "inserted_at";
  readonly direction: "asc" | "desc";
}

/** Where in the order a snippet stands; its id decides between equals. */
type SnippetPosition = Pick<SnippetRecord, "id" | "name" | "insertedAt">;

const written = z.object({
  by: z.enum(["name", "inserted_at"]),
  direction: z.enum(["asc", "desc"]),
  id: z.string(),
  name: z.string(),
  insertedAt: z.number(),
});

/** Opaque to callers. It names the last snippet shown, so that one added meanwhile moves no page. */
function cursorAfter({ id, name, insertedAt }: SnippetRecord, order: SnippetOrder): string {
  return Buffer.from(JSON.stringify({ ...order, id, name, insertedAt })).toString("base64url");
}

/** Only a cursor of this very order says where to go on. */
function readCursor(cursor: string, order: SnippetOrder): SnippetPosition {
  const read = written.safeParse(parsed(Buffer.from(cursor, "base64url").toString()));
  if (!read.success) throw new Refusal(400, "cursor: Expected one that this listing gave");
  if (read.data.by !== order.by || read.data.direction !== order.direction) {
    throw new Refusal(400, "cursor: Expected one of a listing in this order");
  }
  return read.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isAfter(one: SnippetPosition, other: SnippetPosition, { by, direction }: SnippetOrder): boolean {
  const [left, right] = by === "name" ? [one.name, other.name] : [one.insertedAt, other.insertedAt];
  const difference = left === right ? compared(one.id, other.id) : compared(left, right);
  return direction === "asc" ? difference > 0 : difference < 0;
}

function compared<T extends string | number>(left: T, right: T): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

export const snippetHandlers = { listSnippets, getSnippet };

import { z } from "zod";
import { Refusal } from "../../handler";
import type { SnippetRecord } from "../records/snippets";

export interface SnippetOrder {
  readonly by: "name" | "inserted_at";
  readonly direction: "asc" | "desc";
}

/** Where in the order a snippet stands; its id decides between equals. */
type Place = Pick<SnippetRecord, "id" | "name" | "insertedAt">;

const written = z.object({
  by: z.enum(["name", "inserted_at"]),
  direction: z.enum(["asc", "desc"]),
  id: z.string(),
  name: z.string(),
  insertedAt: z.number(),
});

/** Opaque to callers. It names the last snippet shown, so that one added meanwhile moves no page. */
export function cursorAfter({ id, name, insertedAt }: SnippetRecord, order: SnippetOrder): string {
  return Buffer.from(JSON.stringify({ ...order, id, name, insertedAt })).toString("base64url");
}

/** Only a cursor of this very order says where to go on. */
export function readCursor(cursor: string, order: SnippetOrder): Place {
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

export function isAfter(one: Place, other: Place, { by, direction }: SnippetOrder): boolean {
  const [left, right] = by === "name" ? [one.name, other.name] : [one.insertedAt, other.insertedAt];
  const difference = left === right ? compared(one.id, other.id) : compared(left, right);
  return direction === "asc" ? difference > 0 : difference < 0;
}

function compared<T extends string | number>(left: T, right: T): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

import { CancelledError, ResponseSchemaError } from "./errors/errors";

/** After as many pages in a row without a new object, a listing that still names a next page is an error. */
const MOST_BARREN_PAGES = 10;

export interface Page<T, P> {
  readonly items: readonly T[];
  /** Where the next page begins; undefined after the last. */
  readonly next: P | undefined;
  /** How many objects there are, on all pages or on this one, where the service counts them. */
  readonly count?: number | undefined;
}

export interface PagedListing<T, P> {
  /** The operation, for messages. */
  readonly name: string;
  readonly first: P;
  readonly fetch: (position: P) => Promise<Page<T, P>>;
  /** The identifier of an object; undefined where the answer has none. */
  readonly keyOf: (item: T) => string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The pages do not belong together: objects came or went while they were read. */
export class ListingMovedError extends ResponseSchemaError {}

/**
 * All objects of a paginated listing. A page is asked for when the one before is used up; an object that moved from
 * page to page meanwhile comes once. What does not agree with the service's own count is an error at the end.
 */
export async function* iteratePages<T, P>({
  name,
  first,
  fetch,
  keyOf,
  signal,
}: PagedListing<T, P>): AsyncGenerator<T, void, undefined> {
  const seen = new Set<string>();
  const visited = new Set<P>();
  let barrenPages = 0;
  let total: number | undefined;
  // A position that comes again would repeat the pages after it for ever.
  for (let at: P | undefined = first; at !== undefined && !visited.has(at);) {
    visited.add(at);
    const { items, next, count = 0 }: Page<T, P> = await fetch(at);
    if (count > items.length) {
      if (total !== undefined && total !== count) throw createMovedError(name, total, count);
      total = count;
    }
    let hasNew = false;
    for (const item of items) {
      const key = keyOf(item);
      if (key !== undefined && seen.has(key)) continue;
      if (key !== undefined) seen.add(key);
      hasNew = true;
      if (signal?.aborted === true) throw new CancelledError(`${name} was cancelled between two objects.`);
      yield item;
    }
    barrenPages = hasNew ? 0 : barrenPages + 1;
    if (next !== undefined && barrenPages === MOST_BARREN_PAGES) throw createEndlessError(name);
    at = next;
  }
  if (total !== undefined && total > seen.size) throw createIncompleteError(name, seen.size, total);
}

function createMovedError(name: string, before: number, now: number): ListingMovedError {
  return new ListingMovedError(
    `${name}: the service counted ${before} objects at first and ${now} on a later page, so some may be missing. Run again.`,
    name,
    "",
  );
}

function createIncompleteError(name: string, given: number, counted: number): ResponseSchemaError {
  return new ResponseSchemaError(
    `${name}: the service returned ${given} of the ${counted} objects that it counts. The missing objects are treated as still present; ` +
      "try again or report it.",
    name,
    "",
  );
}

function createEndlessError(name: string): ResponseSchemaError {
  return new ResponseSchemaError(
    `${name}: the service returned ${MOST_BARREN_PAGES} pages in a row without new objects, and none of them is the last. ` +
      "The listing may be incomplete; try again or report it.",
    name,
    "",
  );
}

/**
 * Where the next page of a listing by offset begins. A short page is not the last one when the service counts more;
 * without a count, only an empty page is the end.
 */
export function computeNextOffset(
  offset: number,
  received: number,
  pageSize: number,
  counted?: { readonly count?: number | null | undefined; readonly limit?: number | null | undefined } | null,
): number | undefined {
  if (received === 0) return undefined;
  const end = offset + received;
  // Unknown whether `count` is of all objects or of this page's: after a full page both go on.
  const isFull = received >= Math.min(pageSize, counted?.limit ?? pageSize);
  const isCounted = typeof counted?.count === "number" && end >= counted.count;
  return isCounted && !isFull ? undefined : end;
}

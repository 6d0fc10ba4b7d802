import { type ApiError, isRefusal } from "../../../client/errors/errors";
import { quoteServiceMessage, replaceMessage } from "../../../client/errors/with-message";
import type { Context } from "../../../define/context";
import { writeOnce } from "../../../waiting/write-once";
import { explainClosed, sendSqlWhenReady, type DatabaseRow } from "./database-records";

/** What is said of a part of the database that the token may not use, and of one that is not there; each is given the service's words. */
export interface PartMessages {
  readonly closed: (answer: string) => string;
  readonly missing: (answer: string) => string;
}

/** Sends one statement. Its values are parameters: they are no part of its text. */
export function runQuery(
  ctx: Context,
  ref: string,
  text: string,
  parameters: readonly unknown[] = [],
): Promise<DatabaseRow[]> {
  const body = { query: text, parameters: [...parameters] };
  return ctx.api.ofEveryProject(ref, () => ctx.api.runQuery({ ref, body }));
}

/** Answers a statement that only reads. */
export function runReadOnlyQuery(ctx: Context, ref: string, text: string): Promise<DatabaseRow[]> {
  return ctx.api.ofEveryProject(ref, () => ctx.api.runReadOnlyQuery({ ref, body: { query: text } }));
}

/** Sends a query again after an unclear outcome: once more does no harm. */
export function sendRepeatable<T>(ctx: Context, send: () => Promise<T>): Promise<T> {
  return writeOnce(ctx, { send, findResult: () => Promise.resolve(undefined) });
}

/** Sends a change once the database can take it; the listings that a failed one leaves in doubt are forgotten. */
export async function sendChange<T>(
  ctx: Context,
  ref: string,
  { messages, forget }: { readonly messages: PartMessages; readonly forget: () => void },
  send: () => Promise<T>,
): Promise<T> {
  try {
    return await explainPartErrors(messages, sendSqlWhenReady(ctx, ref, send));
  } catch (error) {
    forget();
    throw error;
  }
}

/** The answer of a part of the database, with failures that the user can mend in words of ours. */
export async function explainPartErrors<T>(
  { closed, missing }: PartMessages,
  answer: Promise<T>,
): Promise<T> {
  try {
    return await explainClosed(answer, closed);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const code = parsePostgresCode(error);
    if (code === INSUFFICIENT_PRIVILEGE) throw replaceMessage(error, closed(quoteServiceMessage(error)));
    if (!MISSING.has(code)) throw error;
    throw replaceMessage(error, missing(quoteServiceMessage(error)));
  }
}

const INSUFFICIENT_PRIVILEGE = "42501";
/** Of a table, a function and a schema. */
const MISSING: ReadonlySet<string> = new Set(["42P01", "42883", "3F000"]);

/** The code by which Postgres says why it refuses a statement; empty where it does not. */
export function parsePostgresCode({ serviceMessage }: ApiError): string {
  return /\bERROR: +([0-9A-Z]{5}):/.exec(serviceMessage)?.[1] ?? "";
}

/** A database without the part has nothing in it. */
export async function ignoreMissingPart(
  send: () => Promise<DatabaseRow[]>,
  none: DatabaseRow[],
): Promise<DatabaseRow[]> {
  try {
    return await send();
  } catch (error) {
    if (isRefusal(error) && MISSING.has(parsePostgresCode(error))) return none;
    throw error;
  }
}

/** A time as Postgres writes it into JSON, in the form of JavaScript, to milliseconds. */
export function toIsoTime(text: string | null | undefined): string | undefined {
  return text == null || Number.isNaN(Date.parse(text)) ? undefined : new Date(text).toISOString();
}

/** Adds what was just created to the listing that looked for its name; one that fails now is asked for again by whoever needs it. */
export async function addToListing<T>(
  listing: Promise<Map<string, T>>,
  name: string,
  record: T,
): Promise<void> {
  await listing.then(
    (records) => records.set(name, record),
    () => undefined,
  );
}

import { isAmbiguous, isTransient, TimeoutError } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import { poll } from "../../../waiting/poll";
import { quoteLiteral, ROUND_TRANSACTION, shortenStatement, splitScript } from "./sql";

/** SQL that is sent, and how the database shows that it works on it. */
export interface SentSql {
  /** Its file or name, with its statements. */
  readonly what: string;
  readonly isRunning: () => Promise<boolean>;
}

type ActivityReader = (query: string) => Promise<Record<string, unknown>[]>;

/**
 * Sends SQL. Where its answer is lost, as a gateway did not wait for it, this ends when the database no longer works on it: only then
 * does a look tell what came of it. `onEnd` is told whether it was seen at work.
 */
export async function sendToEnd<T>(
  ctx: Context,
  { what, isRunning }: SentSql,
  send: () => Promise<T>,
  onEnd: (wasRunning: boolean) => Promise<void> = () => Promise.resolve(),
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!isAmbiguous(error)) throw error;
    await onEnd(await waitUntilOver(ctx, what, isRunning));
    throw error;
  }
}

/** Returns whether it was seen at work; where that cannot be seen, it was not. */
async function waitUntilOver(ctx: Context, what: string, look: SentSql["isRunning"]): Promise<boolean> {
  const seen = { isRunning: false };
  try {
    await poll<boolean, undefined>(ctx, {
      what: `the end of ${what}, which had no answer`,
      look,
      judge(isRunning) {
        seen.isRunning ||= isRunning;
        return isRunning
          ? { kind: "waiting", reason: "the database is still working on it" }
          : { kind: "done", value: undefined };
      },
      mayPass: isTransient,
    });
  } catch (error) {
    if (seen.isRunning && error instanceof TimeoutError) throw error;
    ctx.signal.throwIfAborted();
  }
  return seen.isRunning;
}

/** A key of an advisory lock as SQL. */
export function formatLockKey(name: string): string {
  return `pg_catalog.hashtextextended(${quoteLiteral(name)}, 0)`;
}

/** Whether a session has the lock that the text takes first, or waits for it. */
export async function hasLock(look: ActivityReader, name: string): Promise<boolean> {
  const half = (key: string): string => `(${key}) & 4294967295`;
  const [row] = await look(
    `select exists (select from pg_catalog.pg_locks l, pg_catalog.pg_database d, (select ${formatLockKey(name)} as key) k where l.locktype = 'advisory' and l.objsubid = 1 and d.datname = pg_catalog.current_database() and l.database = d.oid and l.classid::bigint = ${half("k.key >> 32")} and l.objid::bigint = ${half("k.key")}) as running`,
  );
  return row?.["running"] === true;
}

/** What every setting of Postgres keeps of a text that runs. */
const SHOWN_CHARACTERS = 250;
const ACTIVITY = "select exists (select from pg_catalog.pg_stat_activity a";

/** Whether a session runs this text, by itself or within one of the service's; `look` is by a role that sees the texts of others. */
export async function isActive(look: ActivityReader, text: string): Promise<boolean> {
  if (text.trim() === "") return false;
  const shown = quoteLiteral(Array.from(text.trim()).slice(0, SHOWN_CHARACTERS).join(""));
  const isOther = `a.pid <> pg_catalog.pg_backend_pid() and not pg_catalog.starts_with(a.query, ${quoteLiteral(ACTIVITY)})`;
  const [row] = await look(
    `${ACTIVITY} where a.state = 'active' and ${isOther} and pg_catalog.strpos(a.query, ${shown}) > 0) as running`,
  );
  return row?.["running"] === true;
}

/** How a message names SQL: by its file and its statements. */
export function describeSql(label: string, script: string): string {
  const [first, ...others] = splitScript(script).filter(({ words }) => !ROUND_TRANSACTION.test(words));
  if (first === undefined) return label;
  const more =
    others.length === 0
      ? ""
      : ` and ${others.length} more ${others.length === 1 ? "statement" : "statements"}`;
  return `${label} (\`${shortenStatement(first.words)}\`${more})`;
}

import type { DatabaseFault } from "./database-error";

/** A fault as Postgres' own tools print it; with the query, its line is shown with the place marked. */
export function describeFault(fault: DatabaseFault, sql?: string): string {
  const { severity, code, message, detail, hint } = fault;
  const lines = [`${severity}:  ${code}: ${message}`];
  if (sql !== undefined) lines.push(...markPlace(fault, sql));
  if (detail !== undefined) lines.push(`DETAIL:  ${detail}`);
  if (hint !== undefined) lines.push(`HINT:  ${hint}`);
  return lines.join("\n");
}

function markPlace({ position }: DatabaseFault, sql: string): string[] {
  if (position === undefined) return [];
  // Postgres counts characters, JavaScript halves of some.
  const before = Array.from(sql)
    .slice(0, Number(position) - 1)
    .join("");
  const start = before.lastIndexOf("\n") + 1;
  const [line = ""] = sql.slice(start).split("\n");
  const shown = around(line, before.length - start);
  const prefix = `LINE ${before.split("\n").length}: `;
  return [prefix + shown.text, " ".repeat(prefix.length + shown.at) + "^"];
}

/** A long line is cut to what stands around the place, as Postgres' own tools do it. */
const SHOWN = 60;
const AFTER_PLACE = 10;

function around(line: string, at: number): { readonly text: string; readonly at: number } {
  if (line.length <= SHOWN) return { text: line, at };
  const end = at + AFTER_PLACE <= SHOWN ? SHOWN : Math.min(at + AFTER_PLACE, line.length);
  const begin = end - SHOWN;
  const [before, after] = [begin > 0 ? "..." : "", end < line.length ? "..." : ""];
  return { text: before + line.slice(begin, end) + after, at: at - begin + before.length };
}

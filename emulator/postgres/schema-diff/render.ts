/** One statement of a difference. */
export interface SchemaChange {
  readonly verb: "create" | "alter" | "drop" | "grant" | "comment";
  /** Key of the object that it concerns. */
  readonly key: string;
  readonly sql: string;
}

/** A script in the manner of the usual engine: the statements one after the other. */
export function renderScript(changes: readonly SchemaChange[]): string {
  if (changes.length === 0) return "";
  return [...preamble(changes), ...changes.map(({ sql }) => sql)].map((sql) => `${sql};\n`).join("\n");
}

/** A script in the manner of the alternative engine: one transaction, the statements gathered under their objects. */
export function renderTransaction(changes: readonly SchemaChange[]): string {
  if (changes.length === 0) return "";
  const lines = ["begin;", "", ...preamble(changes).map((sql) => `${sql};\n`)];
  let heading = "";
  for (const { verb, key, sql } of changes) {
    const next = `-- ${verb}: ${key}`;
    if (next !== heading) lines.push(...(heading === "" ? [] : [""]), next);
    heading = next;
    lines.push(`${sql};`);
  }
  return `${[...lines, "", "commit;"].join("\n")}\n`;
}

/** The body of a function may name what is made after it. */
function preamble(changes: readonly SchemaChange[]): string[] {
  const makesFunction = changes.some(({ sql }) => /^create or replace (?:function|procedure)/i.test(sql));
  return makesFunction ? ["set check_function_bodies = off"] : [];
}

/** What a type of the engine's output is called in the line of times. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/:Branch$/, "branch"],
  [/:Migration(?:Set)?$/, "migrations"],
  [/:SqlScript$/, "seed"],
  [/:FunctionSet$/, "functions"],
  [/:SecretSet$/, "secrets"],
  [/:(?:Auth|Postgres)Config$/, "settings"],
];

const DONE = /^ *[-+~]+ +(\S+) \S+ (?:created|updated|replaced|deleted)\b.*\((\d+(?:\.\d+)?)s\)/;

/** Where the time of a run of the engine went; undefined where its output does not say. */
export function timesIn(said: string, tookMs: number): string | undefined {
  const seconds = new Map<string, number>();
  for (const line of said.split("\n")) {
    const [, type = "", took] = DONE.exec(line) ?? [];
    const name = NAMES.find(([pattern]) => pattern.test(type))?.[1];
    if (took === undefined || name === undefined) continue;
    seconds.set(name, (seconds.get(name) ?? 0) + Number(took));
  }
  if (seconds.size === 0) return undefined;
  const known = [...seconds.values()].reduce((sum, each) => sum + each, 0);
  const rest = Math.max(0, tookMs / 1000 - known);
  return `Time: ${[...seconds, ["engine and the rest", rest] as const].map(([name, each]) => `${name} ${Math.round(each)} s`).join(", ")}.`;
}

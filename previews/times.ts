/** What a resource of the engine's output is called in the line of times, by its type and its name. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/:Branch /, "branch"],
  [/:Migration(?:Set)? /, "migrations"],
  [/:SqlScript .*-seed(?:-\d+)?$/, "seed"],
  [/:SqlScript .*-setup(?:-\d+)?$/, "setup"],
  [/:SqlScript /, "SQL"],
  [/:FunctionSet /, "functions"],
  [/:(?:SecretSet|VaultSecret) /, "secrets"],
  [/:(?:AuthConfig|PostgresConfig|DatabaseWebhooks) /, "settings"],
];

const DONE = /^ *[-+~]+ +(\S+ \S+) (?:created|updated|replaced|deleted)\b.*\((\d+(?:\.\d+)?)s\)/;

/** How the engine's summary ends, also of a run that changed nothing. */
const ENDED = /^Duration: /m;

/**
 * Where the time of a run went: by resources, the rest of the engine's command, and what checked the stack before. Undefined where
 * the command was not the engine's.
 */
export function formatTimes(
  said: string,
  { tookMs, commandMs }: { readonly tookMs: number; readonly commandMs: number },
): string | undefined {
  const seconds = new Map<string, number>();
  for (const line of said.split("\n")) {
    const [, resource = "", took] = DONE.exec(line) ?? [];
    const name = NAMES.find(([pattern]) => pattern.test(resource))?.[1];
    if (took === undefined || name === undefined) continue;
    seconds.set(name, (seconds.get(name) ?? 0) + Number(took));
  }
  if (seconds.size === 0 && !ENDED.test(said)) return undefined;
  const known = [...seconds.values()].reduce((sum, each) => sum + each, 0);
  const engine = Math.max(0, commandMs / 1000 - known);
  const checks = Math.max(0, tookMs - commandMs) / 1000;
  const all = [...seconds, ["engine", engine] as const, ["checks", checks] as const];
  return `Time: ${all.map(([name, each]) => `${name} ${Math.round(each)} s`).join(", ")}.`;
}

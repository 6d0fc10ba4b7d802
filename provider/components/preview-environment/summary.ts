/** What a comment on the pull request shows; none of it is secret. */
export interface Shown {
  readonly pullRequest: number;
  readonly gitBranch: string;
  readonly branchName: string;
  readonly ref: string;
  readonly apiUrl: string | undefined;
  readonly latestMigration: string | undefined;
  readonly functions: readonly string[] | undefined;
  readonly ttlHours: number | undefined;
}

/** A heading and a table in Markdown. */
export function summaryOf(shown: Shown): string {
  const { pullRequest, gitBranch, branchName, ref, apiUrl, latestMigration, functions, ttlHours } = shown;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["Branch", `${code(branchName)} (${code(ref)})`],
    ["Git branch", code(gitBranch)],
    ["API", apiUrl],
    ["Latest migration", latestMigration === undefined ? undefined : code(latestMigration)],
    ["Edge functions", functions?.map(code).join(", ")],
    ["Lasts", ttlHours === undefined ? "until the pull request is closed" : `at most ${ttlHours} hours`],
  ];
  const lines = rows.flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`| ${name} | ${value} |`],
  );
  return [`### Preview of pull request ${pullRequest}`, "", "| | |", "| --- | --- |", ...lines, ""].join(
    "\n",
  );
}

/** Shown as it is, whatever characters it has: also in a table, and with backticks in it. */
function code(text: string): string {
  const line = text.replaceAll(/[\r\n]+/g, " ").replaceAll("|", "\\|");
  const fence = "`".repeat(Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length)) + 1);
  const space = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}

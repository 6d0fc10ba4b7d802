import { mkdtempSync, readFileSync, rmSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { SuiteUsage, Usage } from "./usage.ts";

const LISTED = 10;

/** After which a suite is named that has not ended: one that never leaves its loop is named by nothing else. */
const LONG_MS = 10 * 60_000;

interface SuiteFile {
  readonly path: string;
}

/** Names the suites that do not end, and closes a run of jest with where its time went. */
export default class UsageReporter {
  private readonly folder = mkdtempSync(join(tmpdir(), "management-usage-"));
  private readonly file = join(this.folder, "usage.jsonl");
  private readonly startedMs = performance.now();
  private readonly underWay = new Map<string, NodeJS.Timeout>();

  onRunStart(): void {
    process.env["MANAGEMENT_TEST_USAGE"] = this.file;
  }

  onTestFileStart({ path }: SuiteFile): void {
    const name = (): void => {
      process.stderr.write(
        `Still running after ${LONG_MS / 60_000} minutes or more: ${relative(process.cwd(), path)}\n`,
      );
    };
    this.underWay.set(path, setInterval(name, LONG_MS));
  }

  onTestFileResult({ path }: SuiteFile): void {
    clearInterval(this.underWay.get(path));
    this.underWay.delete(path);
  }

  onRunComplete(): void {
    for (const timer of this.underWay.values()) clearInterval(timer);
    const lines = existsSync(this.file) ? readFileSync(this.file, "utf8").trim().split("\n") : [];
    // This run's own environment wrote them.
    const suites = lines.map((line) => JSON.parse(line) as SuiteUsage);
    rmSync(this.folder, { recursive: true, force: true });
    const late = suites.filter(({ isLate }) => isLate).map(({ suite }) => `  ${suite}\n`);
    if (late.length > 0) process.stderr.write(`\nNot run, as the time was up:\n${late.sort().join("")}`);
    if (suites.length > 1) process.stderr.write(report(suites, (performance.now() - this.startedMs) / 1_000));
  }
}

function report(suites: readonly SuiteUsage[], wallSeconds: number): string {
  const sum = (key: keyof Usage): number => suites.reduce((total, suite) => total + suite[key], 0);
  const cost = ({ ownSeconds, childSeconds }: Usage): number => ownSeconds + childSeconds;
  const dearest = suites.toSorted((a, b) => cost(b) - cost(a)).slice(0, LISTED);
  const seconds = (value: number): string => value.toFixed(1).padStart(8);
  const counted = (value: number): string => String(value).padStart(10);
  return [
    "",
    `Where the time went (${wallSeconds.toFixed(0)} s; below, seconds of processor time):`,
    `${seconds(sum("ownSeconds"))} in ${suites.length} suites, ${sum("childSeconds").toFixed(1)} in their child processes, ` +
      `${sum("databases")} databases started, ${sum("engineCommands")} engine commands`,
    `The dearest ${dearest.length} (CONTRIBUTING.md, "What a test may cost"):`,
    "     all     own  children databases  commands",
    ...dearest.map((suite) =>
      [
        seconds(cost(suite)),
        seconds(suite.ownSeconds),
        seconds(suite.childSeconds).padStart(10),
        counted(suite.databases),
        counted(suite.engineCommands),
        `  ${suite.suite}`,
      ].join(""),
    ),
    "",
  ].join("\n");
}

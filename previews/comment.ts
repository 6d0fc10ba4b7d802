import { formatBlock, formatCode, formatProse } from "../provider/define/markdown";
import { withoutQuickActions } from "./forge/forge";
import { redacted } from "./redaction";
import { shortenError, type RunReport } from "./run-report";

// What the comment on a pull request says.

/** Both forges take a little more. */
const LONGEST_COMMENT = 60_000;
/** Around what a later comment keeps; nobody sees them. */
const KEPT = "<!-- preview -->";
const KEPT_END = "<!-- /preview -->";
const MARKS = /<!--(?= \/?preview -->)/g;

/** What a run brought about. */
export function successComment(
  summary: string,
  report: RunReport | undefined,
  notes: readonly string[] = [],
): string {
  return [kept(shown(summary)), ...notes, ...notesOf(report)].join("\n\n");
}

/** The same for another tool, which keeps nothing of it. */
export function successText(
  summary: string,
  report: RunReport | undefined,
  notes: readonly string[] = [],
): string {
  return `${withoutQuickActions([shown(summary), ...notes, ...notesOf(report)].join("\n\n"))}\n`;
}

function shown(summary: string): string {
  return cut(redacted(summary).replaceAll(MARKS, "<! --")).trim();
}

function notesOf(report: RunReport | undefined): string[] {
  return [
    ...(report?.recreated === undefined
      ? []
      : [
          `The last run recreated the preview: ${formatProse(redacted(report.recreated))}. Data that was entered by hand is lost.`,
        ]),
    ...(report?.doubled === undefined ? [] : [formatProse(redacted(report.doubled))]),
    ...(report?.times === undefined ? [] : [formatProse(redacted(report.times))]),
  ];
}

export interface Failure {
  readonly report: RunReport | undefined;
  readonly commit: string | undefined;
  /** Where the forge shows the log. */
  readonly runUrl: string | undefined;
  /** How somebody asks for a new preview there. */
  readonly howToRecreate: string;
}

/** What failed, and how to go on; beneath it, what the preview was before. */
export function failureComment(failure: Failure, before: string | undefined): string {
  const earlier = keptOf(before);
  return [...failed(failure), ...beforeThisRun(earlier === undefined ? undefined : kept(earlier))].join("\n");
}

/** The same for another tool; `before` is the summary of the preview as it was. */
export function failureText(
  report: RunReport,
  before: string | undefined,
  howToRecreate = "pass `--recreate` once",
): string {
  const failure = { report, commit: undefined, runUrl: undefined, howToRecreate };
  const lines = [...failed(failure), ...beforeThisRun(before === undefined ? undefined : shown(before))];
  return `${withoutQuickActions(lines.join("\n"))}\n`;
}

function beforeThisRun(text: string | undefined): string[] {
  return text === undefined ? [] : ["", "---", "", "Before this run:", "", text];
}

function failed({ report, commit, runUrl, howToRecreate }: Failure): string[] {
  const isAddress = runUrl !== undefined && /^https?:\/\/[^\s<>()[\]\\`]+$/.test(runUrl);
  const log = isAddress ? `[the log of the job](${runUrl})` : "the log of the job";
  const error = report?.code === 0 ? "" : redacted(report?.error ?? "").trim();
  return [
    `### The preview${commit === undefined ? "" : ` of ${/^\w+$/.test(commit) ? commit : formatCode(commit)}`} failed`,
    "",
    ...(error === ""
      ? [`A step of the job failed: see ${log}.`]
      : [formatBlock(shortenError(error), "text"), "", `More is in ${log}.`]),
    "",
    report?.advice === undefined ? howToGoOn(report, howToRecreate) : redacted(report.advice),
  ];
}

function howToGoOn(report: RunReport | undefined, howToRecreate: string): string {
  if (report?.isUnusable !== true)
    return `Push a correction, or run the job again: it continues where it stopped. For a new preview, ${howToRecreate}.`;
  const again = report.recreated === undefined ? "" : "That was a new branch already. ";
  return `${again}Nothing is on the branch yet, and running the job again does not run its steps again. Correct the cause, then ${howToRecreate}: this makes a new branch.`;
}

function kept(text: string): string {
  return [KEPT, text, KEPT_END].join("\n");
}

function keptOf(before: string | undefined): string | undefined {
  const start = before?.lastIndexOf(KEPT) ?? -1;
  const end = before?.lastIndexOf(KEPT_END) ?? -1;
  return before === undefined || start === -1 || end < start
    ? undefined
    : before.slice(start + KEPT.length, end).trim();
}

/** What is too long ends with a line, a closed block of code and a closed `<details>`. */
export function cut(text: string): string {
  if (text.length <= LONGEST_COMMENT) return text;
  const lines = text.slice(0, LONGEST_COMMENT).split("\n");
  if (lines.length > 1) lines.pop();
  let fence: string | undefined;
  for (const line of lines) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark === undefined) continue;
    const info = line.trim().replace(/^[`~]+/, "");
    if (fence === undefined) fence = mark;
    else if (mark[0] === fence[0] && mark.length >= fence.length && info === "") fence = undefined;
  }
  const open = lines.join("\n");
  const details = (open.match(/<details>/g)?.length ?? 0) - (open.match(/<\/details>/g)?.length ?? 0);
  return [
    ...[open, ...(fence === undefined ? [] : [fence]), "", "(cut here)"],
    ...Array.from({ length: Math.max(0, details) }, () => "\n</details>"),
  ].join("\n");
}

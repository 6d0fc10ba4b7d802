import { formatBlock, formatCode, formatProse } from "../provider/core/markdown";
import { disableQuickActions } from "./forge/forge";
import { redactSecrets } from "./redaction";
import { shortenError, type RunReport } from "./run-report";

// What the comment on a pull request says.

/** Both forges take a little more. */
const LONGEST_COMMENT = 60_000;
/** Around what a later comment keeps; nobody sees them. */
const KEPT = "<!-- preview -->";
const KEPT_END = "<!-- /preview -->";
const MARKS = /<!--(?= \/?preview -->)/g;

/** What a run brought about. */
export function formatSuccessComment(
  summary: string,
  report: RunReport | undefined,
  notes: readonly string[] = [],
): string {
  return [markKept(formatSummaryText(summary)), ...notes, ...listReportNotes(report)].join("\n\n");
}

/** The same for another tool, which keeps nothing of it. */
export function formatSuccessText(
  summary: string,
  report: RunReport | undefined,
  notes: readonly string[] = [],
): string {
  return `${disableQuickActions([formatSummaryText(summary), ...notes, ...listReportNotes(report)].join("\n\n"))}\n`;
}

function formatSummaryText(summary: string): string {
  return cutComment(redactSecrets(summary).replaceAll(MARKS, "<! --")).trim();
}

function listReportNotes(report: RunReport | undefined): string[] {
  return [
    ...(report?.recreated === undefined
      ? []
      : [
          `The last run recreated the preview: ${formatProse(redactSecrets(report.recreated))}. Data that was entered by hand is lost.`,
        ]),
    ...(report?.doubled === undefined ? [] : [formatProse(redactSecrets(report.doubled))]),
    ...(report?.times === undefined ? [] : [formatProse(redactSecrets(report.times))]),
  ];
}

export interface Failure {
  readonly report: RunReport | undefined;
  readonly commit: string | undefined;
  /** Where the forge shows the log. */
  readonly runUrl: string | undefined;
  /** How somebody asks for a new preview there. */
  readonly howToRecreate: string;
  /** Whether the run of a later commit makes a new branch for one whose own run failed. */
  readonly remakesAtPush?: boolean;
  /** What else a reader has to know. */
  readonly notes?: readonly string[];
}

/** What failed, and how to go on; beneath it, what the preview was before. */
export function formatFailureComment(failure: Failure, before: string | undefined): string {
  const earlier = findKept(before);
  return [
    ...formatFailedLines(failure),
    ...formatEarlier(earlier === undefined ? undefined : markKept(earlier)),
  ].join("\n");
}

/** The same for another tool; `before` is the summary of the preview as it was. */
export function formatFailureText(
  report: RunReport,
  before: string | undefined,
  howToRecreate = "pass `--recreate` once",
  notes: readonly string[] = [],
): string {
  const failure = { report, commit: undefined, runUrl: undefined, howToRecreate, notes };
  const lines = [
    ...formatFailedLines(failure),
    ...formatEarlier(before === undefined ? undefined : formatSummaryText(before)),
  ];
  return `${disableQuickActions(lines.join("\n"))}\n`;
}

function formatEarlier(text: string | undefined): string[] {
  return text === undefined ? [] : ["", "---", "", "Before this run:", "", text];
}

function formatFailedLines({
  report,
  commit,
  runUrl,
  howToRecreate,
  remakesAtPush = false,
  notes = [],
}: Failure): string[] {
  const isAddress = runUrl !== undefined && /^https?:\/\/[^\s<>()[\]\\`]+$/.test(runUrl);
  const log = isAddress ? `[the log of the job](${runUrl})` : "the log of the job";
  const error = report?.code === 0 ? "" : redactSecrets(report?.error ?? "").trim();
  return [
    `### The preview${commit === undefined ? "" : ` of ${/^\w+$/.test(commit) ? commit : formatCode(commit)}`} failed`,
    "",
    ...(error === ""
      ? [`A step of the job failed: see ${log}.`]
      : [formatBlock(shortenError(error), "text"), "", `More is in ${log}.`]),
    "",
    report?.advice === undefined
      ? adviseNextStep(report, howToRecreate, remakesAtPush)
      : redactSecrets(report.advice),
    ...notes.flatMap((note) => ["", note]),
  ];
}

function adviseNextStep(
  report: RunReport | undefined,
  howToRecreate: string,
  remakesAtPush: boolean,
): string {
  if (report?.isUnusable !== true)
    return `Push a correction, or run the job again: it continues where it stopped. For a new preview, ${howToRecreate}.`;
  const again = report.recreated === undefined ? "" : "That was a new branch already. ";
  const how = remakesAtPush
    ? `push, or ${howToRecreate}: both make a new branch.`
    : `${howToRecreate}: this makes a new branch.`;
  return `${again}Nothing is on the branch yet, and running the job again does not run its steps again. Correct the cause, then ${how}`;
}

function markKept(text: string): string {
  return [KEPT, text, KEPT_END].join("\n");
}

function findKept(before: string | undefined): string | undefined {
  const start = before?.lastIndexOf(KEPT) ?? -1;
  const end = before?.lastIndexOf(KEPT_END) ?? -1;
  return before === undefined || start === -1 || end < start
    ? undefined
    : before.slice(start + KEPT.length, end).trim();
}

/** What is too long ends with a line, a closed block of code and a closed `<details>`. */
export function cutComment(text: string): string {
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

import { z } from "zod";
import { toPrintable } from "../spec/printed-text";
import { writeOwnFile } from "../provider/core/own-file";
import { redactSecrets } from "./redaction";
import { shortenLocks } from "./unlocking";
import { readTextFile } from "../spec/regular-file";

const report = z.object({
  code: z.int(),
  /** The errors that the command printed. */
  error: z.string(),
  /** How to continue, where neither a push nor another run does. */
  advice: z.string().optional(),
  /** Why the preview was recreated. */
  recreated: z.string().optional(),
  /** Whether the branch's own run failed, and nothing else was made. */
  isUnusable: z.boolean().optional(),
  /** What is twice, where the service's own integration made a branch as well. */
  doubled: z.string().optional(),
  /** Where the time went. */
  times: z.string().optional(),
});

/** What a run leaves for the comment. */
export type RunReport = z.output<typeof report>;

interface Ended {
  readonly code: number;
  readonly said: string;
  readonly advice?: string | undefined;
  readonly recreated: string | undefined;
  readonly isUnusable?: boolean | undefined;
  readonly doubled?: string | undefined;
  readonly times: string | undefined;
}

const LONGEST_ERROR = 4_000;

export function toRunReport({ code, said, advice, recreated, isUnusable, doubled, times }: Ended): RunReport {
  const error = code === 0 ? "" : shortenError(toPrintable(findErrors(shortenLocks(redactSecrets(said)))));
  return {
    code,
    error,
    ...(code !== 0 && advice !== undefined && { advice: redactSecrets(advice) }),
    ...(recreated !== undefined && { recreated: redactSecrets(recreated) }),
    ...(isUnusable === true && { isUnusable }),
    ...(doubled !== undefined && { doubled: redactSecrets(doubled) }),
    ...(times !== undefined && { times: redactSecrets(times) }),
  };
}

/** What stands beneath it in a comment has to fit as well. */
export function shortenError(error: string): string {
  return error.length <= LONGEST_ERROR
    ? error
    : `${error.slice(0, LONGEST_ERROR).toWellFormed()}\n(cut here)`;
}

export function writeRunReport(file: string, of: RunReport): void {
  writeOwnFile(file, JSON.stringify(of));
}

/** Undefined where the run did not come so far. */
export function readRunReport(file: string): RunReport | undefined {
  try {
    return report.parse(JSON.parse(readTextFile(file)));
  } catch {
    return undefined;
  }
}

/** What says that something failed, and not what. */
const SAYS_NOTHING = /^error: (?:update|preview|destroy|refresh|import) failed$/;

/** How the engine heads an error that it got in a list. */
const ONE_ERROR = /\berror: 1 error occurred:\s*\* /g;

/** Of the engine's own: what an error says further below keeps its columns. */
const INDENT = /^(?:\s+(?=error:)| {1,4})/;

/** The engine's errors, each once, without its warnings; the end of what was said where it has none. */
function findErrors(said: string): string {
  const [, diagnostics = said] =
    /^Diagnostics:\n([^]*?)(?:^(?:Outputs|Resources|Duration):|(?![^]))/m.exec(said) ?? [];
  const plain = diagnostics.replaceAll(ONE_ERROR, "error: ");
  const lines = plain.split("\n").map((line) => line.trimEnd());
  const errors = [...new Set(pickErrorLines(lines).map((line) => line.replace(INDENT, "")))];
  if (errors.length === 0) return lines.filter(Boolean).slice(-20).join("\n");
  const telling = errors.filter((line) => !SAYS_NOTHING.test(line));
  return (telling.length === 0 ? errors : telling).join("\n");
}

/** The lines of errors: each goes on until a diagnostic of another kind or another resource begins. */
function pickErrorLines(lines: readonly string[]): string[] {
  // Without diagnostics, an error may stand behind what the engine says of a resource.
  const begins = lines.some((line) => /^\s*error:/.test(line)) ? /^\s*error:/ : /\berror:/;
  let isError = false;
  return lines.filter((line) => {
    if (begins.test(line)) isError = true;
    else if (/^\s*(?:warning|info|debug):/.test(line) || /^ {2}\S+ \(.*\):$/.test(line)) isError = false;
    return isError && line !== "";
  });
}

import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { redacted } from "./redaction";

const report = z.object({
  code: z.int(),
  /** The errors that the command printed. */
  error: z.string(),
  /** Why the preview was recreated. */
  recreated: z.string().optional(),
  /** Where the time went. */
  times: z.string().optional(),
});

/** What a run leaves for the comment. */
export type RunReport = z.output<typeof report>;

interface Ended {
  readonly code: number;
  readonly said: string;
  readonly recreated: string | undefined;
  readonly times: string | undefined;
}

const LONGEST_ERROR = 4_000;

export function toRunReport({ code, said, recreated, times }: Ended): RunReport {
  const error = code === 0 ? "" : errorsIn(redacted(said)).slice(0, LONGEST_ERROR);
  return {
    code,
    error,
    ...(recreated !== undefined && { recreated }),
    ...(times !== undefined && { times }),
  };
}

export function writeRunReport(file: string, of: RunReport): void {
  writeFileSync(file, JSON.stringify(of));
}

/** Undefined where the run did not come so far. */
export function readRunReport(file: string): RunReport | undefined {
  try {
    return report.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}

/** The engine's diagnostics, each once; the end of what was said where it has none. */
function errorsIn(said: string): string {
  const [, diagnostics = said] =
    /^Diagnostics:\n([^]*?)(?:^(?:Outputs|Resources|Duration):|(?![^]))/m.exec(said) ?? [];
  const lines = diagnostics.split("\n").map((line) => line.trimEnd());
  const first = lines.findIndex((line) => /\berror:/.test(line));
  const shown = first === -1 ? lines.filter(Boolean).slice(-20) : lines.slice(first).filter(Boolean);
  return [...new Set(shown.map((line) => line.trim()))].join("\n");
}

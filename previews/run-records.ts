import { z } from "zod";

const records = z.array(
  z.object({
    /** The forge's name of the run. */
    id: z.string().regex(/^\d{1,20}$/),
    attempt: z.int().min(1),
    /** The machine that it ran on. */
    host: z.string().min(1),
    /** When its command began, by that machine's clock. */
    sinceMs: z.int(),
  }),
);

/** A run that had begun to use the stack, and had not ended when this was written. */
export type RunRecord = z.output<typeof records>[number];

const MOST_RECORDS = 5;
/** Nobody sees it. Only the beginning counts: what stands further down is a program's. */
const LINE = /^<!-- management-previews runs ([A-Za-z0-9+/=]+) -->\n?/;

/** What of a failed run the next one has to know: for which commit its branch had been made anew already. */
const REMADE = /^<!-- management-previews branch remade for (\w{1,64}) -->\n/;

/** The commit for which the last run that failed on its branch had made that one anew; undefined where none had. */
export function parseRemadeFor(comment: string | undefined): string | undefined {
  return REMADE.exec(comment?.replace(LINE, "") ?? "")?.[1];
}

export function markBranchRemade(comment: string, commit: string): string {
  return `<!-- management-previews branch remade for ${commit} -->\n${comment}`;
}

/** The runs that a comment keeps; none where they cannot be read. */
export function parseRunRecords(comment: string | undefined): readonly RunRecord[] {
  const [, encoded] = LINE.exec(comment ?? "") ?? [];
  if (encoded === undefined) return [];
  try {
    return records.parse(JSON.parse(Buffer.from(encoded, "base64").toString("utf8")));
  } catch {
    return [];
  }
}

/** The comment with these runs in place of those that it keeps. */
export function addRunRecords(comment: string, kept: readonly RunRecord[]): string {
  const text = comment.replace(LINE, "");
  if (kept.length === 0) return text;
  const encoded = Buffer.from(JSON.stringify(kept.slice(-MOST_RECORDS))).toString("base64");
  return `<!-- management-previews runs ${encoded} -->\n${text}`;
}

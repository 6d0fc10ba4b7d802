import { z } from "zod";

/** A list of open pull requests that cannot be relied on. */
export class PullRequestsError extends Error {}

/** As forges list them: `number` at one, `iid` at another. */
const listed = z.array(
  z.union([
    z.int().positive(),
    z.looseObject({ number: z.int().positive() }).transform(({ number }) => number),
    z.looseObject({ iid: z.int().positive() }).transform(({ iid }) => iid),
  ]),
);

/**
 * The numbers of open pull requests: JSON, an array of numbers or of objects with `number` or `iid`, or numbers
 * separated by blanks, commas or line breaks. Throws for anything else, such as an error page of the forge.
 */
export function readPullRequests(text: string): ReadonlySet<number> {
  const trimmed = text.trim();
  if (trimmed === "") return new Set();
  return new Set(trimmed.startsWith("[") ? fromJson(trimmed) : fromWords(trimmed));
}

function fromJson(text: string): number[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable("it begins as JSON and is none");
  }
  const parsed = listed.safeParse(value);
  if (!parsed.success) throw unreadable("it is JSON, but no list of numbers");
  return parsed.data;
}

function fromWords(text: string): number[] {
  return text.split(/[\s,]+/).map((word) => {
    if (!/^#?[1-9]\d*$/.test(word)) throw unreadable(`${JSON.stringify(word.slice(0, 40))} is no number`);
    return Number(word.replace("#", ""));
  });
}

function unreadable(why: string): PullRequestsError {
  return new PullRequestsError(
    `The list of open pull requests cannot be read: ${why}. Nothing is removed. Give their numbers, one in a line, or a JSON array of numbers or of objects with \`number\` or \`iid\`.`,
  );
}

import { readFileSync, statSync } from "node:fs";
import { z } from "zod";
import type { PullRequestState } from "./stale";
import { readTextFile } from "../spec/regular-file";

/** A list of open pull requests that cannot be read as one. */
export class PullRequestListError extends Error {}

/** The open pull requests, by a list that a tool of the user's own made. */
export class OpenPullRequests {
  /** Why nothing follows from the list; undefined where it can be right. */
  distrust: string | undefined;

  constructor(
    private readonly numbers: ReadonlySet<number>,
    /** When the list was made, in milliseconds since 1970. */
    readonly listedMs: number,
    /** Whether somebody said that it may be right that no preview is of an open pull request. */
    private readonly noneOpen: boolean,
  ) {}

  /** A list that names no pull request with a preview may be that of a failed command or of another repository. */
  check(withPreview: readonly number[]): void {
    const isRight = withPreview.length === 0 || withPreview.some((each) => this.numbers.has(each));
    if (isRight || this.noneOpen) return;
    const what = this.numbers.size === 0 ? "is empty" : "names no pull request that has a preview";
    this.distrust = `The list of open pull requests ${what}. A failed command or another repository may be the reason, so no pull request counts as closed. If the list is right, pass --none-open.`;
  }

  /** Every pull request counts as open where nothing follows from the list. */
  stateOf(number: number): PullRequestState {
    return { isOpen: this.distrust !== undefined || this.numbers.has(number) };
  }
}

/** Reads a list from a file, or with `-` from standard input: numbers, one a line, or a JSON array. */
export function readOpenPullRequests(file: string, noneOpen: boolean): OpenPullRequests {
  const isInput = file === "-";
  const name = isInput ? "standard input" : file;
  let text: string;
  let listedMs = Date.now();
  try {
    text = isInput ? readFileSync(0, "utf8") : readTextFile(file);
    const stats = isInput ? undefined : statSync(file);
    if (stats?.isFile() === true) listedMs = Math.min(listedMs, stats.mtimeMs);
  } catch (error) {
    throw createListError(
      `cannot be read from ${name}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return new OpenPullRequests(parseNumbers(text.replace(/^\uFEFF/, "").trim(), name), listedMs, noneOpen);
}

const number = z.int().min(1).max(999_999_999_999_999);
const array = z.array(z.union([number, z.looseObject({ number }).transform((each) => each.number)]));

function parseNumbers(text: string, name: string): ReadonlySet<number> {
  if (/^[[{]/.test(text)) {
    const { success, data } = array.safeParse(parseList(text));
    if (success) return new Set(data);
    throw createListError(`in ${name} is not one JSON array of numbers, or of objects with a \`number\``);
  }
  return new Set(
    text.split("\n").flatMap((line, index) => {
      const written = line.trim();
      if (written === "") return [];
      // What stands there instead may be a token.
      if (!/^[1-9]\d{0,14}$/.test(written))
        throw createListError(`in ${name} has no number in line ${index + 1}`);
      return [Number(written)];
    }),
  );
}

function parseList(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function createListError(why: string): PullRequestListError {
  return new PullRequestListError(`The list of open pull requests ${why}. Nothing was removed.`);
}

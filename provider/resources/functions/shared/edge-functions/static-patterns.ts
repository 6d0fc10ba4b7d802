import { posix } from "node:path";
import picomatch from "picomatch";
import { isLeftOutPath } from "./source-files";
import { SourceFault } from "./problems";

const WILDCARD = /[*?[]/;

interface Patterns {
  /** The files that they name literally. */
  readonly named: readonly string[];
  /** Those with wildcards that look outside of the source folder, each in one other folder. */
  readonly elsewhere: readonly { readonly base: string; readonly matches: (path: string) => boolean }[];
  /** Throws for a pattern without effect, as no file of the source matches it. */
  readonly requireMatches: (paths: readonly string[]) => void;
}

/** Reads the patterns of static files; throws for one that leads outside where only a folder has an outside. */
export function readPatterns(patterns: readonly string[], mayLeadOut: boolean): Patterns {
  const places = patterns.map((pattern) => posix.normalize(pattern));
  const outside = places.findIndex((place) => posix.isAbsolute(place) || (!mayLeadOut && isOutside(place)));
  if (outside >= 0)
    throw createPatternFault(
      `"${patterns[outside]}" must be a relative path${mayLeadOut ? "" : " of one of `files`"}.`,
    );
  return {
    named: places.filter((place) => !WILDCARD.test(place)),
    elsewhere: places
      .filter((place) => WILDCARD.test(place) && isOutside(place))
      .map((place) => ({ base: baseOf(place), matches: matcherOf(place) })),
    requireMatches(paths) {
      const sent = paths.filter((path) => !isLeftOutPath(path));
      const vain = patterns.find((pattern) => WILDCARD.test(pattern) && !sent.some(matcherOf(pattern)));
      if (vain === undefined) return;
      throw createPatternFault(
        `"${vain}" matches no file of the source. Wildcards skip ignored files, dot files and known secret files. List such a file by its name.`,
      );
    },
  };
}

function isOutside(place: string): boolean {
  return place === ".." || place.startsWith("../");
}

/** The folder that a pattern names before its first wildcard. */
function baseOf(place: string): string {
  const segments = place.split("/");
  return segments
    .slice(
      0,
      segments.findIndex((segment) => WILDCARD.test(segment)),
    )
    .join("/");
}

/** What other tools add to wildcards, such as braces, the service may not know. */
function matcherOf(pattern: string): (path: string) => boolean {
  const place = posix.normalize(pattern);
  // What leads out is compared as it is: a wildcard never stands for it.
  const [out = ""] = /^(?:\.\.\/)*/.exec(place) ?? [];
  const matches = picomatch(place.slice(out.length), {
    nobrace: true,
    noextglob: true,
    nonegate: true,
    posix: true,
    windows: false,
  });
  return (path) => path.startsWith(out) && matches(path.slice(out.length));
}

function createPatternFault(message: string): SourceFault {
  return new SourceFault("staticPatterns", message);
}

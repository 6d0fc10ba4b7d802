import { posix } from "node:path";
import picomatch from "picomatch";
import { isLeftOutPath } from "./left-out";
import { SourceFault } from "./source-fault";

const WILDCARD = /[*?[]/;

interface Patterns {
  /** The files that they name literally. */
  readonly named: readonly string[];
  /** Throws for a pattern without effect, as no file of the source matches it. */
  readonly requireMatches: (paths: readonly string[]) => void;
}

/** Reads the patterns of static files; throws for one that leads outside. */
export function readPatterns(patterns: readonly string[]): Patterns {
  const places = patterns.map((pattern) => posix.normalize(pattern));
  const outside = places.findIndex((place) => posix.isAbsolute(place) || place.startsWith("../"));
  if (outside >= 0) throw fault(`"${patterns[outside]}" leads outside the source: move the files into it.`);
  return {
    named: places.filter((place) => !WILDCARD.test(place)),
    requireMatches(paths) {
      const sent = paths.filter((path) => !isLeftOutPath(path));
      const vain = patterns.find((pattern) => WILDCARD.test(pattern) && !sent.some(matcherOf(pattern)));
      if (vain === undefined) return;
      throw fault(
        `"${vain}" matches no file of the source. A wildcard leaves out what ignore files exclude, dot files and known secret files: name such a file itself.`,
      );
    },
  };
}

/** What other tools add to wildcards, such as braces, the service may not know. */
function matcherOf(pattern: string): (path: string) => boolean {
  const matches = picomatch(posix.normalize(pattern), {
    nobrace: true,
    noextglob: true,
    nonegate: true,
    posix: true,
    windows: false,
  });
  return (path) => matches(path);
}

function fault(message: string): SourceFault {
  return new SourceFault("staticPatterns", message);
}

import type { Scenario } from "./scenario";

/** Where a state differs from an earlier one: how many entries were added or removed where, and which values changed. */
export interface Changes {
  /** `projects.abc.secrets +` to the number of entries that came. */
  readonly moved: ReadonlyMap<string, number>;
  readonly changed: ReadonlySet<string>;
}

export function changesBetween(before: unknown, after: unknown): Changes {
  const moved = new Map<string, number>();
  const changed = new Set<string>();
  const count = (place: string): void => void moved.set(place, (moved.get(place) ?? 0) + 1);
  const compare = (was: unknown, is: unknown, path: string): void => {
    if (was === is) return;
    if (!isContainer(was) || !isContainer(is)) return void changed.add(path);
    for (const key of Object.keys(was)) {
      if (key in is) compare(was[key], is[key], `${path}.${key}`);
      else count(`${path} -`);
    }
    for (const key of Object.keys(is)) if (!(key in was)) count(`${path} +`);
  };
  compare(before, after, "");
  return { moved, changed };
}

/** What changed beside what was expected to, in words; entries must have come and gone exactly as expected. */
export function unexpectedIn({ moved, changed }: Changes, expected: Changes): string[] {
  const places = [...new Set([...moved.keys(), ...expected.moved.keys()])];
  return [
    ...places
      .filter((place) => moved.get(place) !== expected.moved.get(place))
      .map((place) => `${place}${moved.get(place) ?? 0} instead of ${expected.moved.get(place) ?? 0}`),
    ...[...changed].filter((path) => !expected.changed.has(path)).map((path) => `${path} changed`),
  ];
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

const OBLIVION_MS = 30 * 60_000;

/** The service remembers for some minutes what was removed, and forgets it when it is asked for it later. */
export function forgetRemoved({ clock, emulator }: Pick<Scenario, "clock" | "emulator">): void {
  clock.advance(OBLIVION_MS);
  const refs: string[] = [];
  emulator.control.edit(({ projects }) => void refs.push(...projects.keys()));
  for (const ref of refs) {
    try {
      emulator.control.call("getProject", { ref });
    } catch {
      // It is forgotten now.
    }
  }
}

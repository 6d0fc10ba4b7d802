import type { InheritedPart } from "./context";

/** How a plan tells in words of inputs whose differences are hashes, or what was read of files and folders. */
export interface PlanWords<State, Inputs> {
  /** Inputs that `describe` tells of. */
  readonly covers: readonly (keyof Inputs & string)[];
  /** Maps that are told of by the name under which the program declares what is in them. */
  readonly labels?: Readonly<Record<string, string>>;
  /** What comes about; without a state, by a create, which takes over what the project has `inherited`. No network; unknown inputs are absent. */
  describe?(
    state: State | undefined,
    inputs: Partial<Inputs>,
    inherited?: ReadonlyMap<string, InheritedPart>,
  ): readonly string[];
}

/** More names than these are counted. */
const MOST_NAMED = 30;

/** What is done, and to what; nothing where there is none. */
export function formatPlanLine(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what}: ${formatPlanned(names)}`];
}

/** Names or paths within a line of a plan. */
export function formatPlanned(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return [...names.slice(0, MOST_NAMED), ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

/** A name that others chose, in which nothing reads as a part of the line. */
export function formatName(name: string): string {
  return /^[\p{L}\p{N}_.@/-]+$/u.test(name) ? name : JSON.stringify(name);
}

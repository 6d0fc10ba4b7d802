import { baseSubjects, projectSubject } from "./base";
import type { Subject } from "./subject";

/** Everything that is tried in the project, those of the first release first. */
const subjects: readonly Subject[] = [...baseSubjects];

/** The types that can be tried; `Project` is, in every run. */
export function knownTypes(): string[] {
  return [projectSubject, ...subjects].map(({ type }) => type);
}

/** The subjects of some types, all where none is given. */
export function chooseSubjects(types: readonly string[]): readonly Subject[] {
  return types.length === 0 ? subjects : subjects.filter(({ type }) => types.includes(type));
}

import { z } from "zod";
import { isObject } from "../../../../spec/is-object";
import { defineProblem } from "../../../client/errors/problem";
import { formatCodeList } from "../../../define/format-code-list";
import { local } from "../../../define/markers";
import type { CheckFailure } from "../../../define/resource";

/** What can go wrong where a folder or a file says what there is. */
export const emptySourceProblems = {
  emptied: defineProblem({
    says: "{path} has nothing in it any more, and {names} would be removed. {remedy}.",
    means:
      "A folder or a file that had something is empty: a build may have failed, or a path be another one.",
    remedy: "Correct the path or what fills it. To remove all of it, set `allowEmpty: true`",
  }),
  prunesAll: defineProblem({
    says: "{path} has nothing in it, and with `prune` everything that the project has would be removed. {remedy}.",
    means: "A folder or a file is empty, and `prune` removes what it does not declare.",
    remedy: "Correct the path or what fills it, or take `prune` out. To remove all, set `allowEmpty: true`",
  }),
};

/** Whether what is declared may be nothing; `things` are what it consists of. */
export function allowEmptyInput(what: string, things: string) {
  return local(
    z
      .boolean()
      .describe(
        `Whether ${what} with nothing in it removes the ${things} that came from it; by default \`false\`: it is refused, as a build may have failed.`,
      ),
  ).optional();
}

interface Options {
  readonly prune?: boolean | undefined;
  readonly allowEmpty?: boolean | undefined;
}

/** Why an empty folder or file at the input `property` is refused; `had` are the names that it declared before. */
export function refuseEmpty(
  property: string,
  path: string,
  { prune, allowEmpty }: Options,
  had: readonly string[],
): CheckFailure[] {
  if (allowEmpty === true) return [];
  if (had.length > 0)
    return [
      { path: property, reason: emptySourceProblems.emptied.message({ path, names: formatCodeList(had) }) },
    ];
  if (prune !== true) return [];
  return [{ path: property, reason: emptySourceProblems.prunesAll.message({ path }) }];
}

/** The keys of what may be a map, sorted; none where it is something else. */
export function sortedKeys(values: unknown): string[] {
  return isObject(values) ? Object.keys(values).sort() : [];
}

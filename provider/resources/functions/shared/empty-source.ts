import { z } from "zod";
import { isObject } from "../../../../spec/is-object";
import { defineProblem } from "../../../client/errors/problem";
import { formatCodeList } from "../../../define/format-code-list";
import { local } from "../../../define/markers";
import type { CheckFailure } from "../../../define/resource";

/** What can go wrong where a folder or a file says what there is. */
export const emptySourceProblems = {
  emptied: defineProblem({
    says: "{path} is empty now, so {names} would be deleted. {remedy}.",
    means: "A folder or file that had content is empty. A build may have failed, or the path may be wrong.",
    remedy: "Correct the path or restore the content. To delete everything, set `allowEmpty: true`",
  }),
  prunesAll: defineProblem({
    says: "{path} is empty, and with `prune` everything in the project would be deleted. {remedy}.",
    means: "A folder or file is empty, and `prune` deletes everything that is not declared.",
    remedy:
      "Correct the path or restore the content, or remove `prune`. To delete everything, set `allowEmpty: true`",
  }),
};

/** Whether what is declared may be nothing; `things` are what it consists of. */
export function allowEmptyInput(what: string, things: string) {
  return local(
    z
      .boolean()
      .describe(
        `Whether ${what} that is empty deletes its ${things}. By default it is an error, because a build may have failed. Default: \`false\`.`,
      ),
  ).optional();
}

interface EmptySourceOptions {
  readonly prune?: boolean | undefined;
  readonly allowEmpty?: boolean | undefined;
}

/** Why an empty folder or file at the input `property` is refused; `had` are the names that it declared before. */
export function refuseEmpty(
  property: string,
  path: string,
  { prune, allowEmpty }: EmptySourceOptions,
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
export function listSortedKeys(values: unknown): string[] {
  return isObject(values) ? Object.keys(values).sort() : [];
}

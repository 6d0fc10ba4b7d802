import type { Problems, ProblemText } from "../../../provider/client/errors/problem";
import { problems as callProblems } from "../../../provider/client/errors/problems";
import { configProblems } from "../../../provider/config";
import { listingProblems, waitingProblems } from "../../../provider/define/problems";
import type { AnyResource } from "../../../provider/define/resource";
import {
  findableProblems,
  importProblems,
  inputProblems,
  protectionProblems,
  requiredOutputProblems,
  resourceProblems,
} from "../../../provider/lifecycle/problems";
import { requiredOutputs } from "../../../provider/lifecycle/operations/required-outputs";
import { paragraphs, section, table } from "./markdown";

/** The errors that any call can end with. */
export const everyCall: Problems = {
  ...configProblems,
  ...inputProblems,
  ...callProblems,
  ...listingProblems,
};

/** The errors of this resource beyond those of any call. */
export function collectProblems({
  find,
  importId,
  outputs,
  problems,
  protectedBy,
}: Pick<AnyResource, "find" | "importId" | "outputs" | "problems" | "protectedBy">): Problems {
  return {
    ...(importId.refusal === undefined ? {} : importProblems),
    ...(find === undefined ? {} : findableProblems),
    ...(protectedBy === undefined ? {} : protectionProblems),
    ...(requiredOutputs({ outputs }).length === 0 ? {} : requiredOutputProblems),
    ...resourceProblems,
    ...waitingProblems,
    ...problems,
  };
}

/** The errors of one resource or function. */
export function errorsSection(problems: Problems): string {
  return section(
    2,
    "Errors",
    paragraphs(
      problemTable(problems),
      "Errors common to all calls, such as a wrong token, a missing permission or an exhausted rate limit, are documented [in the index](../README.md#common-errors).",
    ),
  );
}

export function commonErrors(): string {
  return problemTable(everyCall);
}

/** The message up to its remedy, with an ellipsis for each value. */
export function quoted({ says }: ProblemText): string {
  const [message = ""] = says.split("{remedy}");
  const elided = message.replaceAll(/\{\w+\}/g, "…").replaceAll(/…(?:[. ]*…)*\.?/g, "…");
  return `“${elided.replace(/[\s:]+$/, "")}”`;
}

function problemTable(problems: Problems): string {
  return table(
    ["Message", "Cause", "Remedy"],
    Object.values(problems).map((each) => [
      quoted(each),
      each.means,
      `${each.remedy.replaceAll(/\{\w+\}/g, "…")}.`,
    ]),
  );
}

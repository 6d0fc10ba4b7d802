import type { Problems, ProblemText } from "../../../provider/client/problem";
import { problems as callProblems } from "../../../provider/client/problems";
import { configProblems } from "../../../provider/config";
import { listingProblems, waitingProblems } from "../../../provider/converge/problems";
import type { AnyResource } from "../../../provider/define/resource";
import { findableProblems, inputProblems, resourceProblems } from "../../../provider/lifecycle/problems";
import { paragraphs, section, table } from "./markdown";

/** What can go wrong with every call. */
export const everyCall: Problems = {
  ...configProblems,
  ...inputProblems,
  ...callProblems,
  ...listingProblems,
};

/** What can go wrong with this resource and not with every call. */
export function problemsOf({ find, problems }: Pick<AnyResource, "find" | "problems">): Problems {
  return {
    ...(find === undefined ? {} : findableProblems),
    ...resourceProblems,
    ...waitingProblems,
    ...problems,
  };
}

/** What can go wrong with one resource or function. */
export function errorsSection(problems: Problems): string {
  return section(
    2,
    "Errors",
    paragraphs(
      problemTable(problems),
      "What can go wrong with every call, as with a wrong token, a missing permission or a used-up rate limit, is told [in the index](../README.md#errors-of-every-call).",
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
    ["Message", "What it means", "What to do"],
    Object.values(problems).map((each) => [
      quoted(each),
      each.means,
      `${each.remedy.replaceAll(/\{\w+\}/g, "…")}.`,
    ]),
  );
}

import type { Problems, ProblemText } from "../../../provider/client/errors/problem";
import { problems as callProblems } from "../../../provider/client/errors/problems";
import { configProblems } from "../../../provider/process/config";
import {
  absenceProblems,
  listingProblems,
  openingProblems,
  settingsProblems,
  waitingProblems,
} from "../../../provider/define/problems";
import { listMarkedFields } from "../../../provider/define/markers";
import type { AnyResource } from "../../../provider/define/resource";
import {
  findableProblems,
  importProblems,
  inputProblems,
  keepingProblems,
  fixedProblems,
  moveProblems,
  protectionProblems,
  requiredOutputProblems,
  resourceProblems,
} from "../../../provider/engine/step/problems";
import { ofProject } from "../../../provider/lookup/missing-errors";
import { listRequiredOutputs } from "../../../provider/engine/create/required-outputs";
import { paragraphs, section, table } from "./markdown";
import { stateProblems } from "../../../provider/ledger/durable-files";

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
  protection,
  inputs,
  explainKept,
}: Pick<
  AnyResource,
  "explainKept" | "find" | "importId" | "inputs" | "outputs" | "problems" | "protection"
>): Problems {
  return {
    ...(importId.refusal === undefined ? {} : importProblems),
    ...(find === undefined ? {} : findableProblems),
    ...(protection === undefined ? {} : protectionProblems),
    ...(hasTrait(inputs, "insteadOfReplacement") ? fixedProblems : {}),
    ...(hasTrait(inputs, "moves") ? moveProblems : {}),
    ...(explainKept === undefined ? {} : keepingProblems),
    ...(listRequiredOutputs({ outputs }).length === 0 ? {} : requiredOutputProblems),
    ...resourceProblems,
    ...stateProblems,
    ...absenceProblems,
    ...waitingProblems,
    ...problems,
  };
}

function hasTrait(inputs: AnyResource["inputs"], trait: "insteadOfReplacement" | "moves"): boolean {
  return listMarkedFields(inputs).some(([, , traits]) => traits[trait] !== undefined);
}

/** What the shared page lists, by its heading there. */
const shared: Readonly<Record<string, Problems>> = {
  "Any call": everyCall,
  "Any resource": {
    ...resourceProblems,
    ...stateProblems,
    ...absenceProblems,
    ...waitingProblems,
    ...importProblems,
    ...requiredOutputProblems,
  },
  "Resources that may exist already": findableProblems,
  Configurations: { ...settingsProblems, ...openingProblems },
  "Functions in a project": ofProject,
};

const sharedProblems = new Set(Object.values(shared).flatMap((each) => Object.values(each)));

/** The errors of one resource or function alone. */
export function errorsSection(problems: Problems): string {
  const own = Object.entries(problems).filter(([, each]) => !sharedProblems.has(each));
  const others = "[Common errors](../common.md#errors)";
  return section(
    2,
    "Errors",
    paragraphs(
      problemTable(Object.fromEntries(own)),
      own.length === 0 ? `${others} only.` : `${others} can occur too.`,
    ),
  );
}

/** The errors of more than one page, by what can end with them. */
export function commonErrors(): string {
  const parts = Object.entries(shared).map(([heading, problems]) =>
    section(3, heading, problemTable(problems)),
  );
  return paragraphs(...parts);
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

import { allFunctions, allResources } from "../../provider/catalog/catalog";
import type { Problems, ProblemText } from "../../provider/client/errors/problem";
import type { AnyFunction } from "../../provider/define/function";
import type { AnyResource } from "../../provider/define/resource";
import { collectProblems } from "../../tools/schema/reference/error-table";

/** Every problem that is not one of every call, and the form of its message. */
const known: ReadonlyMap<ProblemText, RegExp> = new Map(
  [
    ...allResources().flatMap((one) => Object.values(collectProblems(one))),
    ...allFunctions().flatMap(({ problems = {} }) => Object.values(problems)),
  ].map((problem) => [problem, formOf(problem)]),
);

/** Passes an error on, unless it is a problem that the page of the resource or function does not list. */
export async function listed<T>(definition: AnyResource | AnyFunction, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    requireListed(definition, error instanceof Error ? error.message : String(error));
    throw error;
  }
}

/** Throws for a message that the page of the resource or function does not list among its errors. */
export function requireListed(definition: AnyResource | AnyFunction, message: string): void {
  const [name, problems]: [string, Problems] =
    "type" in definition
      ? [definition.type, collectProblems(definition)]
      : [definition.name, definition.problems ?? {}];
  const own = Object.values(problems);
  const found = [...known].flatMap(([problem, form]) => (form.test(message) ? [problem] : []));
  if (found.length === 0 || found.some((each) => own.includes(each))) return;
  throw new Error(
    `${name} fails with a problem that its definition does not name among its \`problems\`: ${message}`,
  );
}

/** The form of its message, up to its remedy. */
export function formOf({ says }: ProblemText): RegExp {
  const [message = ""] = says.split(/:? ?\{remedy\}/);
  const parts = message.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  // It may stand anywhere: what a message begins with would be looked for from each of its characters on.
  return new RegExp(parts.join("[^]*").replace(/^(?:\[\^\]\*)+/, ""));
}

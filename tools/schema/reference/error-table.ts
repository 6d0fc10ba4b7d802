import type { AnyResource } from "../../../provider/define/resource";
import type { Cause } from "./cause";
import { allCauses } from "./causes";
import type { CodeFacts } from "./code-facts";
import { paragraphs, section, table } from "./markdown";

/** What can go wrong with this resource or function and with no other call. */
export function errorsSection(typeOrName: string, facts: CodeFacts, resource?: AnyResource): string {
  const found = allCauses
    .filter(({ only }) => only?.includes(typeOrName) ?? true)
    .filter((cause) => applies(cause, facts, resource));
  return section(
    2,
    "Errors",
    paragraphs(
      causeTable(found),
      "What can go wrong with every call, as with a wrong token, a missing permission or a used-up rate limit, is told [in the index](../README.md#errors-of-every-call).",
    ),
  );
}

/** What can go wrong with every call. */
export function commonErrors(): string {
  return causeTable(allCauses.filter(({ at }) => at === "every call"));
}

function applies({ at, says }: Cause, { text }: CodeFacts, resource: AnyResource | undefined): boolean {
  switch (at) {
    case "every call":
      return false;
    case "resource":
      return resource !== undefined;
    case "findable resource":
      return resource?.find !== undefined;
    case "where it is said":
      return text.includes(says);
  }
}

function causeTable(causes: readonly Cause[]): string {
  return table(
    ["Message says", "What it means", "What to do"],
    causes.map(({ says, means, remedy }) => [`“… ${says} …”`, means, remedy]),
  );
}

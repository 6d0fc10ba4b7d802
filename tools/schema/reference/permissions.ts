import { operations, type OperationName } from "../../../spec/table";
import type { Operation } from "../../../spec/operation";
import type { CodeFacts, Step } from "./code-facts";
import { conditions, type Condition } from "./conditions";
import { code, codes, paragraphs, section, table } from "./markdown";

/** Which operations are called, and what the token needs for each. */
export function permissionsSection(typeOrName: string, { uses }: CodeFacts): string {
  const sometimes = conditions[typeOrName] ?? {};
  const rows = uses.map(({ operation: name, steps }) => {
    const operation: Operation = operations[name];
    return [
      code(name),
      code(`${operation.method} ${operation.path}`),
      usedText(steps, sometimes[name] ?? {}),
      operation.scope === undefined ? "none" : code(operation.scope),
      permissionText(operation),
      operation.stability.join(", "),
      operation.stricterLimits.map(({ limit, windowMs }) => `${limit} in ${windowMs / 1000} s`).join(", "),
    ];
  });
  const columns = ["Operation", "Request", "Used", "OAuth scope", "Permissions", "Stability", "Own limit"];
  return section(
    2,
    "Permissions",
    paragraphs(
      summary(uses.map(({ operation }) => operation)),
      table(columns, rows),
      uses.some(({ steps }) => steps.length > 0)
        ? "`adopt` uses what `read` and `update` do as well. A preview calls nothing."
        : "",
    ),
  );
}

/** `create, read; delete when …`: the steps that call it always, then those that do so sometimes. */
function usedText(steps: readonly Step[], condition: Condition): string {
  if (typeof condition === "string") return [steps.join(", "), condition].filter(Boolean).join("; ");
  const always = steps.filter((step) => condition[step] === undefined);
  const sometimes = Object.entries(condition).map(([step, when]) => `${step} ${when}`);
  return [always.join(", "), ...sometimes].filter(Boolean).join("; ");
}

function permissionText({ permissions }: Operation): string {
  if (permissions.length === 0) return "none";
  return permissions.map((all) => all.map(code).join(" and ")).join(", or ");
}

function summary(names: readonly OperationName[]): string {
  const all: readonly Operation[] = names.map((name) => operations[name]);
  const scopes = [...new Set(all.flatMap(({ scope }) => scope ?? []))].sort();
  const firsts = [...new Set(all.flatMap(({ permissions }) => permissions[0] ?? []))].sort();
  return (
    (firsts.length === 0
      ? "No permission is listed. "
      : `A fine-grained token that is to do all of it needs ${codes(firsts)}. `) +
    (scopes.length === 0
      ? ""
      : `With OAuth it needs ${scopes.length === 1 ? "the scope" : "the scopes"} ${codes(scopes)}.`)
  );
}

import { operations, type OperationName } from "../../../spec/table";
import type { Operation } from "../../../spec/operation";
import { code, codes, paragraphs, section, table } from "./markdown";
import type { OperationUse } from "./operation-use";

/** The operations called, and what each requires of the token. */
export function permissionsSection(uses: readonly OperationUse[]): string {
  // Where no list has changed there is nothing to compare.
  const hasChanged = uses.some(({ operation: name }) => {
    const { changedPermissions }: Operation = operations[name];
    return changedPermissions.length > 0;
  });
  const rows = uses.map((use) => {
    const name = use.operation;
    const operation: Operation = operations[name];
    return [
      code(name),
      code(`${operation.method} ${operation.path}`),
      usedText(use),
      scopeText(operation),
      permissionText(operation),
      ...(hasChanged ? [changedText(operation)] : []),
      operation.stability.join(", "),
      operation.stricterLimits.map(({ limit, windowMs }) => `${limit} in ${windowMs / 1000} s`).join(", "),
    ];
  });
  const columns = [
    "Operation",
    "Request",
    "Used",
    "OAuth scope",
    "Permissions",
    ...(hasChanged ? ["Permissions on newer installations"] : []),
    "Stability",
    "Rate limit",
  ];
  return section(
    2,
    "Permissions",
    paragraphs(
      summary(uses.filter(({ isOptional }) => !isOptional).map(({ operation }) => operation)),
      optionalText(uses.filter(({ isOptional }) => isOptional).map(({ operation }) => operation)),
      table(columns, rows),
    ),
  );
}

/** `create, read; delete when …`: the steps that call it always, then those that do so sometimes. */
function usedText({ steps, sometimes }: OperationUse): string {
  const conditional = sometimes.map(([, at, when]) => [at.join(", "), when].filter(Boolean).join(" "));
  return [steps.join(", "), ...conditional].filter(Boolean).join("; ");
}

function scopeText({ scope, changedScope }: Operation): string {
  if (changedScope !== undefined) return `none; ${code(changedScope)} on newer installations`;
  return scope === undefined ? "none" : code(scope);
}

function permissionText({ permissions }: Operation): string {
  return permissions.length === 0 ? "none" : listText(permissions);
}

function changedText({ changedPermissions }: Operation): string {
  return changedPermissions.length === 0 ? "the same" : listText(changedPermissions);
}

function listText(permissions: Operation["permissions"]): string {
  return permissions.map((all) => all.map(code).join(" and ")).join(", or ");
}

/** Without these calls the others do the same. */
function optionalText(names: readonly OperationName[]): string {
  if (names.length === 0) return "";
  return `${codes(names)} is optional: without its permissions, a refresh makes more calls.`;
}

function summary(names: readonly OperationName[]): string {
  const all: readonly Operation[] = names.map((name) => operations[name]);
  const scopes = [...new Set(all.flatMap(({ scope }) => scope ?? []))].sort();
  const firsts = [...new Set(all.flatMap(({ permissions }) => permissions[0] ?? []))].sort();
  const newer = [
    ...new Set(
      all
        .flatMap((each) =>
          each.changedPermissions.length === 0
            ? [each.permissions[0] ?? []]
            : [each.changedPermissions.at(-1) ?? []],
        )
        .flat(),
    ),
  ].sort();
  return (
    (firsts.length === 0
      ? "No fine-grained permission is required. "
      : `A fine-grained token for all operations needs ${codes(firsts)}. `) +
    (newer.join() === firsts.join() ? "" : `On a newer installation, it needs ${codes(newer)}. `) +
    (scopes.length === 0
      ? ""
      : `An OAuth token needs the ${scopes.length === 1 ? "scope" : "scopes"} ${codes(scopes)}.`)
  );
}

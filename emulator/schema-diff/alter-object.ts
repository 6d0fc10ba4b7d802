import { alterColumn } from "./alter-column";
import { alterType } from "./alter-type";
import type { Alteration } from "./alteration";
import type { Catalog, CatalogObject } from "./catalog";

export function alterObject(before: CatalogObject, after: CatalogObject, to: Catalog): Alteration {
  const change = (field: string): boolean => before.detail[field] !== after.detail[field];
  switch (after.kind) {
    case "column":
      return alterColumn(before, after);
    case "type":
      return alterType(before, after, to);
    case "table":
      return alterTable(before, after);
    case "sequence":
      return {
        statements: [`alter sequence ${after.detail["name"] ?? ""} ${after.detail["options"] ?? ""}`],
      };
    case "function":
      return change("kind") || change("result") || change("arguments")
        ? "recreate"
        : { statements: after.create };
    case "default":
      return { statements: after.create };
    case "role":
      return { statements: after.create.map((sql) => sql.replace(/^create /, "alter ")) };
    case "extension":
      return {
        statements: after.create.map((sql) =>
          sql
            .replace("create extension if not exists", "alter extension")
            .replace("with schema", "set schema"),
        ),
      };
    default:
      return "recreate";
  }
}

function alterTable(before: CatalogObject, after: CatalogObject): Alteration {
  const { name, unlogged, options, parents, bound } = after.detail;
  const alter = `alter table ${name ?? ""}`;
  const statements: string[] = [];
  if (before.detail["unlogged"] !== unlogged) {
    statements.push(`${alter} set ${unlogged === "true" ? "unlogged" : "logged"}`);
  }
  if (before.detail["options"] !== options) {
    const former = (before.detail["options"] ?? "").split(", ").map((option) => option.replace(/=.*/, ""));
    if (former[0] !== "") statements.push(`${alter} reset (${former.join(", ")})`);
    if (options != null) statements.push(`${alter} set (${options})`);
  }
  if (before.detail["parents"] !== parents || before.detail["bound"] !== bound) {
    if (before.detail["parents"] !== null) statements.push(leave(before));
    if (parents != null) statements.push(join(after));
  }
  // Whether and how a table is partitioned is decided when it is made.
  return statements.length === 0 ? "recreate" : { statements };
}

function leave({ detail: { name, parents, bound } }: CatalogObject): string {
  return bound === null
    ? `alter table ${name ?? ""} no inherit ${parents ?? ""}`
    : `alter table ${parents ?? ""} detach partition ${name ?? ""}`;
}

function join({ detail: { name, parents, bound } }: CatalogObject): string {
  return bound === null
    ? `alter table ${name ?? ""} inherit ${parents ?? ""}`
    : `alter table ${parents ?? ""} attach partition ${name ?? ""} ${bound ?? ""}`;
}

import type { Alteration } from "./alteration";
import type { CatalogObject } from "./catalog";

/** Changes a column and keeps what is in it; `castAnyway` when its type is replaced by one of the same name. */
export function alterColumn(before: CatalogObject, after: CatalogObject, castAnyway = false): Alteration {
  const was = before.detail;
  const is = after.detail;
  const recast = castAnyway || was["type"] !== is["type"];
  const becomesGenerated = was["generated"] !== is["generated"] && is["generated"] !== null;
  const stopsBeingVirtual = was["generated"] === "v" && is["generated"] === null;
  if (becomesGenerated || stopsBeingVirtual || (recast && is["generated"] !== null)) return "recreate";

  const alter = `alter table ${is["table"] ?? ""} alter column ${is["name"] ?? ""}`;
  const statements: string[] = [];
  if (was["generated"] === is["generated"] && was["expression"] !== is["expression"]) {
    statements.push(`${alter} set expression as (${is["expression"] ?? ""})`);
  }
  if (recast) statements.push(`${alter} type ${is["type"] ?? ""} using ${cast(before, after)}`);
  if (was["required"] !== is["required"]) {
    statements.push(`${alter} ${is["required"] === "true" ? "set" : "drop"} not null`);
  }
  statements.push(...alterIdentity(alter, was, is));
  const losesIdentity = was["identity"] !== null && is["identity"] === null;
  const beforehand = [
    // What it was made from may change its type then.
    ...(was["generated"] === is["generated"] ? [] : [`${alter} drop expression`]),
    ...(losesIdentity ? [`${alter} drop identity`] : []),
  ];
  return { beforehand, statements, disturbs: recast };
}

/** A type that was made by a user has no casts of its own, but its text can be read. */
function cast(before: CatalogObject, after: CatalogObject): string {
  const plain = (type: string | null | undefined): string => (type ?? "").replace(/ collate .*$/, "");
  const [was, is] = [plain(before.detail["type"]), plain(after.detail["type"])];
  const viaText = was.includes(".") || is.includes(".") ? "::text" : "";
  return `${after.detail["name"] ?? ""}${viaText}::${is}`;
}

type Detail = CatalogObject["detail"];

function alterIdentity(alter: string, was: Detail, is: Detail): string[] {
  if (is["identity"] === null) return [];
  const options = is["sequence"] ?? "";
  if (was["identity"] === null) {
    return [`${alter} add generated ${is["identity"] ?? ""} as identity (${options})`];
  }
  return [
    ...(was["identity"] === is["identity"] ? [] : [`${alter} set generated ${is["identity"] ?? ""}`]),
    ...(was["sequence"] === options ? [] : [`${alter} ${eachSet(options)}`]),
  ];
}

function eachSet(options: string): string {
  return options.replaceAll(
    /\b(increment by|minvalue|maxvalue|start with|cache|no cycle|(?<!no )cycle)\b/g,
    "set $1",
  );
}

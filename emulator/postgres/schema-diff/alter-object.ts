import type { Catalog, CatalogObject } from "./read-catalog";
import type { ObjectKind } from "./object-queries";

/** How an object becomes another one of the same name. */
export type Alteration =
  | "recreate"
  | {
      /** What frees names before anything is made. */
      readonly beforehand?: readonly string[];
      readonly statements: readonly string[];
      /** Whether what depends on it has to make way and come back. */
      readonly affectsDependents?: boolean;
      /** Whether it lost its grants and its comment. */
      readonly losesGrants?: boolean;
      /** What is left to be done when nothing uses the former object any more. */
      readonly afterwards?: readonly string[];
    };

type Alter = (before: CatalogObject, after: CatalogObject, to: Catalog) => Alteration;
type Detail = CatalogObject["detail"];

export function alterObject(before: CatalogObject, after: CatalogObject, to: Catalog): Alteration {
  return alterations[after.kind]?.(before, after, to) ?? "recreate";
}

/** What can be changed in place. */
const alterations: Readonly<Partial<Record<ObjectKind, Alter>>> = {
  column: (before, after) => alterColumn(before, after),
  type: alterType,
  table: alterTable,
  sequence: (_, { detail }) => ({
    statements: [text`alter sequence ${detail["name"]} ${detail["options"]}`],
  }),
  function: (before, after) =>
    ["kind", "result", "arguments"].some((field) => before.detail[field] !== after.detail[field])
      ? "recreate"
      : { statements: after.create },
  default: (_, { create }) => ({ statements: create }),
  role: (_, { create }) => ({ statements: create.map((sql) => sql.replace(/^create /, "alter ")) }),
  extension: (_, { create }) => ({
    statements: create.map((sql) =>
      sql.replace("create extension if not exists", "alter extension").replace("with schema", "set schema"),
    ),
  }),
};

/** Changes a column and keeps what is in it; `castAnyway` when its type is replaced by one of the same name. */
export function alterColumn(before: CatalogObject, after: CatalogObject, castAnyway = false): Alteration {
  const was = before.detail;
  const is = after.detail;
  const recast = castAnyway || was["type"] !== is["type"];
  const becomesGenerated = was["generated"] !== is["generated"] && is["generated"] !== null;
  const stopsBeingVirtual = was["generated"] === "v" && is["generated"] === null;
  if (becomesGenerated || stopsBeingVirtual || (recast && is["generated"] !== null)) return "recreate";

  const alter = text`alter table ${is["table"]} alter column ${is["name"]}`;
  const stopsBeingGenerated = was["generated"] !== is["generated"];
  const losesIdentity = was["identity"] !== null && is["identity"] === null;
  const hasOtherExpression = !stopsBeingGenerated && was["expression"] !== is["expression"];
  return {
    // What it was made from may change its type then.
    beforehand: [
      ...when(stopsBeingGenerated, `${alter} drop expression`),
      ...when(losesIdentity, `${alter} drop identity`),
    ],
    statements: [
      ...when(hasOtherExpression, text`${alter} set expression as (${is["expression"]})`),
      ...when(recast, text`${alter} type ${is["type"]} using ${cast(was, is)}`),
      ...alterRequired(alter, was, is),
      ...alterIdentity(alter, was, is),
    ],
    affectsDependents: recast,
  };
}

/** A type that was made by a user has no casts of its own, but its text can be read. */
function cast(was: Detail, is: Detail): string {
  const [from, to] = [was, is].map(({ type }) => (type ?? "").replace(/ collate .*$/, ""));
  const viaText = `${from ?? ""} ${to ?? ""}`.includes(".") ? "::text" : "";
  return text`${is["name"]}${viaText}::${to}`;
}

function alterRequired(alter: string, was: Detail, is: Detail): string[] {
  return when(
    was["required"] !== is["required"],
    `${alter} ${is["required"] === "true" ? "set" : "drop"} not null`,
  );
}

function alterIdentity(alter: string, was: Detail, is: Detail): string[] {
  const { identity, sequence } = is;
  if (identity == null) return [];
  if (was["identity"] === null) return [text`${alter} add generated ${identity} as identity (${sequence})`];
  const eachSet = (sequence ?? "").replaceAll(
    /\b(increment by|minvalue|maxvalue|start with|cache|no cycle|(?<!no )cycle)\b/g,
    "set $1",
  );
  return [
    ...when(was["identity"] !== identity, `${alter} set generated ${identity}`),
    ...when(was["sequence"] !== sequence, `${alter} ${eachSet}`),
  ];
}

/** Changes a type in place where the server can; else a new one takes its name, and the columns move over. */
function alterType(before: CatalogObject, after: CatalogObject, to: Catalog): Alteration {
  const { kind } = after.detail;
  let inPlace: string[] | null = null;
  if (before.detail["kind"] === kind) {
    if (kind === "e") inPlace = addLabels(before, after, to);
    if (kind === "d") inPlace = alterDomain(before, after);
  }
  return inPlace === null ? replaceType(after) : { statements: inPlace };
}

export function replaceType({ detail: { name, short, schema }, create }: CatalogObject): Alteration {
  const former = `"${(short ?? "").replace(/^"(.*)"$/, "$1")}__former"`;
  return {
    statements: [text`alter type ${name} rename to ${former}`, ...create],
    affectsDependents: true,
    losesGrants: true,
    afterwards: [text`drop type ${schema}.${former}`],
  };
}

function addLabels(before: CatalogObject, after: CatalogObject, to: Catalog): string[] | null {
  // As the query of types has written them.
  const [was, is] = [before, after].map(({ detail }) => JSON.parse(detail["labels"] ?? "[]") as string[]);
  if (was === undefined || is === undefined) return null;
  const added = is.filter((label) => !was.includes(label));
  if (was.join() !== is.filter((label) => was.includes(label)).join()) return null;
  // A label that was added cannot be used before the transaction ends.
  const name = after.detail["name"] ?? "";
  const texts = [...to.objects.values()].flatMap(({ create }) => create);
  if (added.some((label) => texts.some((sql) => sql.includes(`${label}::${name}`)))) return null;
  return added.map((label) => {
    const next = is[is.indexOf(label) + 1];
    const previous = is[is.indexOf(label) - 1];
    const place = previous !== undefined ? ` after ${previous}` : next === undefined ? "" : ` before ${next}`;
    return `alter type ${name} add value ${label}${place}`;
  });
}

function alterDomain(before: CatalogObject, after: CatalogObject): string[] | null {
  if (before.detail["base"] !== after.detail["base"]) return null;
  const alter = text`alter domain ${after.detail["name"]}`;
  const was = readConstraints(before);
  const is = readConstraints(after);
  const { default: fallback } = after.detail;
  return [
    ...[...was]
      .filter(([name, definition]) => is.get(name) !== definition)
      .map(([name]) => `${alter} drop constraint ${name}`),
    ...[...is]
      .filter(([name, definition]) => was.get(name) !== definition)
      .map(([name, definition]) => `${alter} add constraint ${name} ${definition}`),
    ...when(
      before.detail["default"] !== fallback,
      `${alter} ${fallback == null ? "drop default" : `set default ${fallback}`}`,
    ),
    ...alterRequired(alter, before.detail, after.detail),
  ];
}

function readConstraints({ detail }: CatalogObject): Map<string, string> {
  // As the query of types has written them.
  return new Map(JSON.parse(detail["constraints"] ?? "[]") as [string, string][]);
}

function alterTable(before: CatalogObject, after: CatalogObject): Alteration {
  const was = before.detail;
  const is = after.detail;
  const alter = text`alter table ${is["name"]}`;
  const statements = when(
    was["unlogged"] !== is["unlogged"],
    `${alter} set ${is["unlogged"] === "true" ? "unlogged" : "logged"}`,
  );
  if (was["options"] !== is["options"]) {
    const former = (was["options"] ?? "").split(", ").map((option) => option.replace(/=.*/, ""));
    if (former[0] !== "") statements.push(`${alter} reset (${former.join(", ")})`);
    if (is["options"] != null) statements.push(`${alter} set (${is["options"]})`);
  }
  if (was["parents"] !== is["parents"] || was["bound"] !== is["bound"]) {
    if (was["parents"] !== null) statements.push(detachFromParents(was));
    if (is["parents"] !== null) statements.push(attachToParents(is));
  }
  // Whether and how a table is partitioned is decided when it is made.
  return statements.length === 0 ? "recreate" : { statements };
}

function detachFromParents({ name, parents, bound }: Detail): string {
  return bound === null
    ? text`alter table ${name} no inherit ${parents}`
    : text`alter table ${parents} detach partition ${name}`;
}

function attachToParents({ name, parents, bound }: Detail): string {
  return bound === null
    ? text`alter table ${name} inherit ${parents}`
    : text`alter table ${parents} attach partition ${name} ${bound}`;
}

function when(isSo: boolean, statement: string): string[] {
  return isSo ? [statement] : [];
}

/** A text with parts of a detail; what is absent is empty. */
function text(strings: TemplateStringsArray, ...parts: readonly (string | null | undefined)[]): string {
  return String.raw({ raw: strings }, ...parts.map((part) => part ?? ""));
}

import type { Alteration } from "./alteration";
import type { Catalog, CatalogObject } from "./catalog";

/** Changes a type in place where the server can; else a new one takes its name, and the columns move over. */
export function alterType(before: CatalogObject, after: CatalogObject, to: Catalog): Alteration {
  const kind = after.detail["kind"];
  if (before.detail["kind"] === kind) {
    const inPlace =
      kind === "e" ? addLabels(before, after, to) : kind === "d" ? alterDomain(before, after) : null;
    if (inPlace !== null) return { statements: inPlace };
  }
  return replaceType(after);
}

export function replaceType(after: CatalogObject): Alteration {
  const { name, short, schema } = after.detail;
  const unquoted = (short ?? "").replace(/^"(.*)"$/, "$1");
  const former = `"${unquoted}__former"`;
  return {
    statements: [`alter type ${name ?? ""} rename to ${former}`, ...after.create],
    disturbs: true,
    remade: true,
    afterwards: [`drop type ${schema ?? ""}.${former}`],
  };
}

function addLabels(before: CatalogObject, after: CatalogObject, to: Catalog): string[] | null {
  const was = labelsOf(before);
  const is = labelsOf(after);
  const added = is.filter((label) => !was.includes(label));
  if (was.join() !== is.filter((label) => was.includes(label)).join()) return null;
  // A label that was added cannot be used before the transaction ends.
  const name = after.detail["name"] ?? "";
  const texts = [...to.objects.values()].flatMap(({ create }) => create);
  if (added.some((label) => texts.some((text) => text.includes(`${label}::${name}`)))) return null;
  return added.map((label) => {
    const next = is[is.indexOf(label) + 1];
    const previous = is[is.indexOf(label) - 1];
    const place = previous !== undefined ? ` after ${previous}` : next === undefined ? "" : ` before ${next}`;
    return `alter type ${name} add value ${label}${place}`;
  });
}

function labelsOf({ detail }: CatalogObject): string[] {
  // Written by the reader of types.
  return JSON.parse(detail["labels"] ?? "[]") as string[];
}

function alterDomain(before: CatalogObject, after: CatalogObject): string[] | null {
  if (before.detail["base"] !== after.detail["base"]) return null;
  const alter = `alter domain ${after.detail["name"] ?? ""}`;
  const was = constraintsOf(before);
  const is = constraintsOf(after);
  const { default: fallback, required } = after.detail;
  return [
    ...[...was]
      .filter(([name, definition]) => is.get(name) !== definition)
      .map(([name]) => `${alter} drop constraint ${name}`),
    ...[...is]
      .filter(([name, definition]) => was.get(name) !== definition)
      .map(([name, definition]) => `${alter} add constraint ${name} ${definition}`),
    ...(before.detail["default"] === fallback
      ? []
      : [`${alter} ${fallback == null ? "drop default" : `set default ${fallback}`}`]),
    ...(before.detail["required"] === required
      ? []
      : [`${alter} ${required === "true" ? "set" : "drop"} not null`]),
  ];
}

function constraintsOf({ detail }: CatalogObject): Map<string, string> {
  // Written by the reader of types.
  return new Map(JSON.parse(detail["constraints"] ?? "[]") as [string, string][]);
}

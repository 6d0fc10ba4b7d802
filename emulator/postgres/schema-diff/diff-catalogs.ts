import { commentChanges, grantChanges } from "./diff-grants";
import type { ObjectKind } from "./object-queries";
import { type SchemaChangePlan, planChanges } from "./plan";
import type { Catalog, CatalogObject } from "./read-catalog";
import type { SchemaChange } from "./render";

/** The statements that turn a database with the catalog `from` into one with the catalog `to`, in an order that applies. */
export function diffCatalogs(from: Catalog, to: Catalog): SchemaChange[] {
  const plan = planChanges(from, to);
  const drops = listDrops(plan, from);
  const late = findLateDrops(plan, from);
  return [
    ...drops.filter(({ key }) => !late.has(key)).map(dropChange),
    ...alterations(plan, "beforehand"),
    ...creations(plan, to),
    ...alterations(plan, "afterwards"),
    ...drops.filter(({ key }) => late.has(key)).map(dropChange),
    ...grantChanges(plan, from, to),
    ...commentChanges(plan, from, to),
  ];
}

function alterations(plan: SchemaChangePlan, phase: "beforehand" | "afterwards"): SchemaChange[] {
  return [...plan.altered].flatMap(([key, alteration]) =>
    (alteration[phase] ?? []).map((sql): SchemaChange => ({ verb: "alter", key, sql })),
  );
}

function dropChange({ key, drop }: CatalogObject): SchemaChange {
  return { verb: "drop", key, sql: drop };
}

/** What goes, what needs it before it; what goes by itself with its owner is not named. */
function listDrops(plan: SchemaChangePlan, from: Catalog): CatalogObject[] {
  const isGone = (key: string): boolean => plan.removed.has(key) || plan.recreated.has(key);
  const at = (key: string): CatalogObject | undefined => from.objects.get(key);
  function mergeInto(object: CatalogObject): CatalogObject | null {
    if (object.owner === null || !isGone(object.owner)) return object;
    // Two tables may refer to each other by these.
    if (object.kind === "foreign key" || object.kind === "policy") return object;
    // A sequence is dropped by itself, and needs nothing of its column then.
    if (object.kind === "ownership") return null;
    const owner = at(object.owner);
    return owner === undefined ? object : mergeInto(owner);
  }
  const gone = [...from.objects.values()].filter(({ key }) => isGone(key));
  return sortByDependency(gone, mergeInto, at).reverse();
}

/** What is still in use until its users were altered goes last, and with it what it needs. */
function findLateDrops(plan: SchemaChangePlan, from: Catalog): Set<string> {
  const late = new Set<string>();
  const isRemoved = (key: string): boolean => plan.removed.has(key);
  for (const key of plan.altered.keys()) {
    for (const need of from.objects.get(key)?.dependsOn ?? []) if (isRemoved(need)) late.add(need);
  }
  // A set's iteration includes what is added during it.
  for (const key of late) {
    for (const need of from.objects.get(key)?.dependsOn ?? []) if (isRemoved(need)) late.add(need);
  }
  return late;
}

function creations(plan: SchemaChangePlan, to: Catalog): SchemaChange[] {
  const isNew = (key: string): boolean => plan.added.has(key) || plan.recreated.has(key);
  const at = (key: string): CatalogObject | undefined => to.objects.get(key);
  /** A new table comes with its columns, a new column with its default. */
  function mergeInto(object: CatalogObject): CatalogObject {
    const isPart = object.kind === "column" || object.kind === "default";
    const owner = isPart && object.owner !== null && isNew(object.owner) ? at(object.owner) : undefined;
    return owner === undefined ? object : mergeInto(owner);
  }
  const touched = [...to.objects.values()].filter(({ key }) => isNew(key) || plan.altered.has(key));
  return sortByDependency(touched, mergeInto, at).flatMap((object): SchemaChange[] => {
    const { key } = object;
    if (!isNew(key)) {
      return (plan.altered.get(key)?.statements ?? []).map((sql) => ({ verb: "alter", key, sql }));
    }
    return writeCreation(object, to).map((sql) => ({ verb: "create", key, sql }));
  });
}

function writeCreation(object: CatalogObject, to: Catalog): readonly string[] {
  if (object.kind === "column") {
    return [`alter table ${object.detail["table"] ?? ""} add column ${columnText(object, to)}`];
  }
  if (object.kind !== "table") return object.create;
  const columns = [...to.objects.values()].filter(
    ({ kind, owner }) => kind === "column" && owner === object.key,
  );
  const [head = "", tail = ""] = object.create;
  // A partition has the columns of its table.
  if (tail.startsWith("partition of")) return [`${head} ${tail}`];
  const lines = columns.map((column) => `  ${columnText(column, to)}`).join(",\n");
  return [`${head} (${lines === "" ? "" : `\n${lines}\n`})${tail === "" ? "" : ` ${tail}`}`];
}

function columnText({ key, create }: CatalogObject, to: Catalog): string {
  const expression = to.objects.get(key.replace(/^column/, "default"))?.detail["expression"];
  return `${create[0] ?? ""}${expression == null ? "" : ` default ${expression}`}`;
}

/** Where the server demands no order, things come as people write them. */
const usualOrder: readonly ObjectKind[] = [
  "role",
  "schema",
  "extension",
  "type",
  "sequence",
  "table",
  "replica identity",
  "column",
  "default",
  "ownership",
  "function",
  "constraint",
  "foreign key",
  "index",
  "view",
  "materialized view",
  "trigger",
  "row security",
  "policy",
];

/**
 * What is needed comes before what needs it. `mergeInto` names the object whose statement does the work for another one, as
 * that of a new table for its columns; null leaves the object out. A circle is cut where it is met.
 */
function sortByDependency(
  objects: Iterable<CatalogObject>,
  mergeInto: (object: CatalogObject) => CatalogObject | null,
  at: (key: string) => CatalogObject | undefined,
): CatalogObject[] {
  const parts = new Map<string, { readonly object: CatalogObject; readonly needs: Set<string> }>();
  for (const member of objects) {
    const object = mergeInto(member);
    if (object === null) continue;
    const part = parts.get(object.key) ?? { object, needs: new Set<string>() };
    parts.set(object.key, part);
    for (const need of member.dependsOn) {
      const needed = at(need);
      part.needs.add((needed === undefined ? undefined : mergeInto(needed)?.key) ?? need);
    }
  }

  const ordered: CatalogObject[] = [];
  const seen = new Set<string>();
  function visit(key: string): void {
    const part = parts.get(key);
    if (part === undefined || seen.has(key)) return;
    seen.add(key);
    for (const need of part.needs) visit(need);
    ordered.push(part.object);
  }
  const byUsage = [...parts.values()].sort(
    (left, right) => usualOrder.indexOf(left.object.kind) - usualOrder.indexOf(right.object.kind),
  );
  for (const { object } of byUsage) visit(object.key);
  return ordered;
}

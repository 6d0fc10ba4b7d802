import { alterColumn, alterObject, replaceType, type Alteration } from "./alter-object";
import type { Catalog, CatalogObject } from "./read-catalog";

/** What becomes of each object that does not stay as it is. */
export interface SchemaChangePlan {
  /** Keys of what is only in the catalog that is left behind. */
  readonly removed: Set<string>;
  /** Keys of what is only in the other one. */
  readonly added: Set<string>;
  /** Keys of what goes and comes again. */
  readonly recreated: Set<string>;
  readonly altered: Map<string, Exclude<Alteration, "recreate">>;
}

/** Decides what has to be done so that `from` becomes `to`. */
export function planChanges(from: Catalog, to: Catalog): SchemaChangePlan {
  const plan: SchemaChangePlan = {
    removed: new Set(),
    added: new Set(),
    recreated: new Set(),
    altered: new Map(),
  };
  for (const [key, before] of from.objects) {
    const after = to.objects.get(key);
    if (after === undefined) {
      // A role belongs to the server, not to the database.
      if (before.kind !== "role") plan.removed.add(key);
    } else if (!isSame(before, after)) decide(plan, key, alterObject(before, after, to));
  }
  for (const key of to.objects.keys()) if (!from.objects.has(key)) plan.added.add(key);
  alterDependents(plan, from, to);
  return plan;
}

function isSame(before: CatalogObject, after: CatalogObject): boolean {
  return (
    before.kind === after.kind &&
    JSON.stringify([before.create, before.drop, before.detail]) ===
      JSON.stringify([after.create, after.drop, after.detail])
  );
}

function decide(plan: SchemaChangePlan, key: string, alteration: Alteration): void {
  if (alteration === "recreate") {
    plan.recreated.add(key);
    plan.altered.delete(key);
  } else plan.altered.set(key, alteration);
}

/** What depends on something that goes or changes its nature must make way, and so on. */
function alterDependents(plan: SchemaChangePlan, from: Catalog, to: Catalog): void {
  const dependents = new Map<string, CatalogObject[]>();
  for (const object of from.objects.values()) {
    for (const need of object.dependsOn) dependents.set(need, [...(dependents.get(need) ?? []), object]);
  }
  const changed = [
    ...plan.removed,
    ...plan.recreated,
    ...[...plan.altered]
      .filter(([, { affectsDependents }]) => affectsDependents === true)
      .map(([key]) => key),
  ];
  const isGone = (key: string): boolean => plan.removed.has(key) || plan.recreated.has(key);
  const seen = new Set(changed);
  for (let key = changed.shift(); key !== undefined; key = changed.shift()) {
    for (const dependent of dependents.get(key) ?? []) {
      const before = from.objects.get(key);
      const after = to.objects.get(dependent.key);
      if (isGone(dependent.key) || before === undefined || after === undefined) continue;
      const response = alterDependent(dependent, after, before, plan);
      if (response === null || (response !== "recreate" && seen.has(dependent.key))) continue;
      decide(plan, dependent.key, response);
      seen.add(dependent.key);
      changed.push(dependent.key);
    }
  }
}

/** What happens to a dependent that is in both catalogs; null when it can stay, or is changed anyway. */
function alterDependent(
  dependent: CatalogObject,
  after: CatalogObject,
  needed: CatalogObject,
  plan: SchemaChangePlan,
): Alteration | null {
  const stays = !plan.removed.has(needed.key);
  switch (dependent.kind) {
    case "role":
    case "schema":
    case "extension":
    case "sequence":
      return null;
    case "table":
      return needed.kind === "table" && plan.recreated.has(needed.key) ? "recreate" : null;
    case "type":
      return stays ? replaceType(after) : null;
    case "column":
      if (needed.kind === "type") return stays ? alterColumn(dependent, after, true) : null;
      // Generated from the other one no more, it keeps what it holds.
      return needed.kind === "column" && after.detail["generated"] === null ? null : "recreate";
    default:
      // Changed in place, it need not be what it was made from any more.
      return !stays && plan.altered.has(dependent.key) ? null : "recreate";
  }
}

import type { CatalogObject, ObjectKind } from "./catalog";

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
 * What is needed comes before what needs it. `standIn` names the object that takes another one's place, such as a new
 * table that of its columns; null leaves it out. A circle is cut where it is met.
 */
export function inOrderOfNeed(
  objects: Iterable<CatalogObject>,
  standIn: (object: CatalogObject) => CatalogObject | null,
  at: (key: string) => CatalogObject | undefined,
): CatalogObject[] {
  const parts = new Map<string, { readonly object: CatalogObject; readonly needs: Set<string> }>();
  for (const member of objects) {
    const object = standIn(member);
    if (object === null) continue;
    const part = parts.get(object.key) ?? { object, needs: new Set<string>() };
    parts.set(object.key, part);
    for (const need of member.dependsOn) {
      const needed = at(need);
      part.needs.add((needed === undefined ? undefined : standIn(needed)?.key) ?? need);
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

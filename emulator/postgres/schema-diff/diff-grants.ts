import type { Catalog, CatalogObject, Grants } from "./read-catalog";
import type { SchemaChange } from "./render";
import type { SchemaChangePlan } from "./plan";

const none: Grants = new Map();

/** What is granted and revoked; a new object begins with what the role that makes it grants by itself. */
export function grantChanges(plan: SchemaChangePlan, from: Catalog, to: Catalog): SchemaChange[] {
  return [...to.objects.values()].flatMap((object) => {
    const target = grantTarget(object);
    if (target === undefined) return [];
    const before = startsWithoutGrants(plan, object.key)
      ? initialGrants(from, target)
      : (from.grants.get(target) ?? none);
    const statements = changedGrants(target, before, to.grants.get(target) ?? none);
    return statements.map((sql): SchemaChange => ({ verb: "grant", key: object.key, sql }));
  });
}

export function commentChanges(plan: SchemaChangePlan, from: Catalog, to: Catalog): SchemaChange[] {
  const set = [...to.comments].filter(
    ([target, { text, on }]) => startsWithoutGrants(plan, on) || from.comments.get(target)?.text !== text,
  );
  const taken = [...from.comments].filter(
    ([target, { on }]) => !to.comments.has(target) && to.objects.has(on) && !startsWithoutGrants(plan, on),
  );
  return [
    ...set.map(([target, { text, on }]) => comment(on, `comment on ${target} is ${text}`)),
    ...taken.map(([target, { on }]) => comment(on, `comment on ${target} is null`)),
  ];
}

function comment(key: string, sql: string): SchemaChange {
  return { verb: "comment", key, sql };
}

function startsWithoutGrants({ added, recreated, altered }: SchemaChangePlan, key: string): boolean {
  return added.has(key) || recreated.has(key) || altered.get(key)?.losesGrants === true;
}

function grantTarget({ kind, key }: CatalogObject): string | undefined {
  switch (kind) {
    case "table":
    case "view":
    case "materialized view":
      return `table ${key.slice(kind.length + 1)}`;
    case "function":
      return `routine ${key.slice(kind.length + 1)}`;
    case "sequence":
    case "schema":
    case "type":
      return key;
    default:
      return undefined;
  }
}

function initialGrants({ defaultGrants }: Catalog, target: string): Grants {
  const [, kind = "", schema = ""] = /^(\w+) ("(?:[^"]|"")*"|[^."]+)/.exec(target) ?? [];
  return defaultGrants.get(`${kind} ${schema}`) ?? defaultGrants.get(kind) ?? none;
}

function changedGrants(target: string, before: Grants, after: Grants): string[] {
  const grantees = new Set([...before.keys(), ...after.keys()]);
  return [...grantees].sort().flatMap((grantee) => {
    const was = before.get(grantee) ?? new Set<string>();
    const is = [...(after.get(grantee) ?? [])];
    const plain = (privileges: string[]): string[] => [
      ...new Set(privileges.map((each) => each.replace("*", "").toLowerCase())),
    ];
    // The privilege goes with its grant option, and has to be granted again.
    const revoked = [...was].filter((privilege) => !is.includes(privilege));
    const granted = is.filter(
      (each) => !each.endsWith("*") && (!was.has(each) || revoked.includes(`${each}*`)),
    );
    const grantable = is.filter((each) => each.endsWith("*") && !was.has(each));
    const statement = (verb: string, privileges: string[], tail: string): string[] =>
      privileges.length === 0 ? [] : [`${verb} ${privileges.sort().join(", ")} on ${target} ${tail}`];
    return [
      ...statement("revoke", plain(revoked), `from ${grantee}`),
      ...statement("grant", plain(granted), `to ${grantee}`),
      ...statement("grant", plain(grantable), `to ${grantee} with grant option`),
    ];
  });
}

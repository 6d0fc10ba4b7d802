import type { Database } from "../sql/databases";
import type { DefaultGrants, Grants } from "./catalog";

interface GrantRow {
  readonly target: string;
  readonly grantee: string;
  readonly privilege: string;
}

const exploded = (acl: string): string => `
  cross join lateral (select case when g.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(g.grantee)) end as grantee,
    g.privilege_type || case when g.is_grantable then '*' else '' end as privilege
    from aclexplode(${acl}) g where g.grantee <> g.grantor) g`;

const grants = `
  select case c.relkind when 'S' then 'sequence' else 'table' end || ' ' || format('%I.%I', n.nspname, c.relname) as target,
    g.grantee, g.privilege
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  ${exploded("coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::\"char\", c.relowner))")}
  where n.nspname = any($1) and c.relkind in ('r', 'p', 'v', 'm', 'S')
  union all
  select 'routine ' || format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)),
    g.grantee, g.privilege
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  ${exploded("coalesce(p.proacl, acldefault('f', p.proowner))")}
  where n.nspname = any($1)
  union all
  select 'schema ' || quote_ident(n.nspname), g.grantee, g.privilege
  from pg_namespace n ${exploded("coalesce(n.nspacl, acldefault('n', n.nspowner))")}
  where n.nspname = any($1)
  union all
  select 'type ' || format('%I.%I', n.nspname, t.typname), g.grantee, g.privilege
  from pg_type t join pg_namespace n on n.oid = t.typnamespace
  ${exploded("coalesce(t.typacl, acldefault('T', t.typowner))")}
  where n.nspname = any($1) and t.typtype in ('e', 'd', 'c', 'r')`;

const defaultGrants = `
  select k.kind || coalesce(' ' || quote_ident(s.nspname), '') as target, g.grantee, g.privilege
  from (values ('table', 'r'), ('sequence', 'S'), ('routine', 'f'), ('schema', 'n'), ('type', 'T')) k (kind, letter)
  left join (select oid, nspname from pg_namespace where nspname !~ '^pg_' union all select null, null) s on k.kind <> 'schema'
  ${exploded(`coalesce(
    (select d.defaclacl from pg_default_acl d where d.defaclobjtype::text = k.letter and d.defaclnamespace = 0
      and d.defaclrole = current_user::regrole),
    acldefault(case k.letter when 'S' then 's' else k.letter end::"char", current_user::regrole))
    || coalesce((select d.defaclacl from pg_default_acl d where d.defaclobjtype::text = k.letter
      and d.defaclnamespace = s.oid and d.defaclrole = current_user::regrole), '{}')`)}`;

export async function readGrants(sql: Database, schemas: readonly string[]): Promise<Map<string, Grants>> {
  return grouped((await sql.query<GrantRow>(grants, [schemas])).rows);
}

/** For the role that the difference is applied with, which is the reader's own. */
export async function readDefaultGrants(sql: Database): Promise<DefaultGrants> {
  return grouped((await sql.query<GrantRow>(defaultGrants)).rows);
}

function grouped(rows: readonly GrantRow[]): Map<string, Grants> {
  const targets = new Map<string, Map<string, Set<string>>>();
  for (const { target, grantee, privilege } of rows) {
    const grantees = targets.get(target) ?? new Map<string, Set<string>>();
    targets.set(target, grantees.set(grantee, (grantees.get(grantee) ?? new Set()).add(privilege)));
  }
  return targets;
}

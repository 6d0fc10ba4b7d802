import type { SqlLint } from "./lint";

const notOfExtension = `('pg_class'::regclass, c.oid) not in (select classid, objid from members)`;

/** Relations of exposed schemas that roles of the API can read. */
const reachedRelations = `from pg_class c
          join exposed s on s.oid = c.relnamespace
          join reached on reached.oid = c.oid
        where ${notOfExtension}`;

const accessLints = [
  {
    name: "auth_users_exposed",
    title: "Exposed auth users",
    level: "ERROR",
    description: "Finds views that show the table of users to roles of the API.",
    remediation:
      "Take the view out of the exposed schema, or revoke its privileges from anon and authenticated.",
    sql: `
      select distinct s.name as schema, c.relname as name, 'view' as type,
          format('View or materialized view \`%s.%s\` may expose \`auth.users\` data to anon or authenticated roles.', s.name, c.relname)
            as detail
        from pg_depend d
          join pg_rewrite w on d.classid = 'pg_rewrite'::regclass and w.oid = d.objid
          join pg_class c on c.oid = w.ev_class
          join exposed s on s.oid = c.relnamespace
          join reached on reached.oid = c.oid
        where d.refclassid = 'pg_class'::regclass and d.refobjid = to_regclass('auth.users')
          and c.relkind in ('v', 'm')
          and not coalesce(c.reloptions @> '{security_invoker=true}' or c.reloptions @> '{security_invoker=on}', false)`,
  },
  {
    name: "policy_exists_rls_disabled",
    title: "Policies without row security",
    level: "ERROR",
    description: "Finds tables that have policies, which do nothing as long as row level security is off.",
    remediation: "Enable row level security on the table.",
    sql: `
      select p.schema, p.table as name, 'table' as type,
          format('Table \`%s.%s\` has RLS policies but RLS is not enabled on the table. Policies include {%s}.', p.schema,
            p.table, string_agg(p.name, ', ' order by p.name collate "C")) as detail
        from policies p where not p."rowSecurity" group by p.schema, p.table`,
  },
  {
    name: "rls_enabled_no_policy",
    title: "Row security without a policy",
    level: "INFO",
    description: "Finds tables with row level security that no policy opens to anybody.",
    remediation: "Write a policy for the table.",
    sql: `
      select s.name as schema, c.relname as name, 'table' as type,
          format('Table \`%s.%s\` has RLS enabled, but no policies exist.', s.name, c.relname) as detail
        from pg_class c join own s on s.oid = c.relnamespace
        where c.relkind in ('r', 'p') and c.relrowsecurity and ${notOfExtension}
          and not exists (select from pg_policy p where p.polrelid = c.oid)`,
  },
  {
    name: "rls_disabled_in_public",
    title: "Row security disabled in an exposed schema",
    level: "ERROR",
    description: "Finds tables that the API offers to everybody, as they have no row level security.",
    remediation: "Enable row level security on the table and write policies for it.",
    sql: `
      select s.name as schema, c.relname as name, 'table' as type,
          format('Table \`%s.%s\` is public, but RLS has not been enabled.', s.name, c.relname) as detail
        ${reachedRelations} and c.relkind in ('r', 'p') and not c.relrowsecurity`,
  },
  {
    name: "rls_references_user_metadata",
    title: "Row security trusts user metadata",
    level: "ERROR",
    description: "Finds policies that rely on metadata which users can change themselves.",
    remediation: "Rely on application metadata, which users cannot change.",
    sql: `
      select p.schema, p.table as name, 'table' as type, p.name as part,
          format('Table \`%s.%s\` has a row level security policy \`%s\` that references \`user_metadata\`.', p.schema, p.table, p.name)
            as detail
        from policies p where p.expressions ~ '(raw_)?user_meta_?data'`,
  },
] as const satisfies readonly SqlLint[];

const definitionLints = [
  {
    name: "security_definer_view",
    title: "Security definer view",
    level: "ERROR",
    description: "Finds views that read with the rights of who made them, past the row security of who asks.",
    remediation: "Set security_invoker on the view.",
    sql: `
      select s.name as schema, c.relname as name, 'view' as type,
          format('View \`%s.%s\` is defined with the SECURITY DEFINER property.', s.name, c.relname) as detail
        ${reachedRelations} and c.relkind = 'v'
          and not coalesce(c.reloptions && '{security_invoker=true,security_invoker=on,security_invoker=1,security_invoker=yes}', false)`,
  },
  {
    name: "function_search_path_mutable",
    title: "Function with a mutable search path",
    level: "WARN",
    description: "Finds functions whose names mean what the caller's search path makes them mean.",
    remediation: "Set search_path on the function.",
    sql: `
      select s.name as schema, p.proname as name, 'function' as type, md5(p.oid::regprocedure::text) as part,
          format('Function \`%s.%s\` has a role mutable search_path', s.name, p.proname) as detail
        from pg_proc p join own s on s.oid = p.pronamespace
        where p.prokind in ('f', 'p', 'w')
          and ('pg_proc'::regclass, p.oid) not in (select classid, objid from members)
          and not exists (select from unnest(p.proconfig) setting where starts_with(setting, 'search_path='))`,
  },
  {
    name: "extension_in_public",
    title: "Extension in public",
    level: "WARN",
    description: "Finds extensions whose members lie among the user's own things.",
    remediation: "Move the extension to another schema, such as extensions.",
    sql: `
      select s.nspname as schema, e.extname as name, 'extension' as type,
          format('Extension \`%s\` is installed in the public schema. Move it to another schema.', e.extname) as detail
        from pg_extension e join pg_namespace s on s.oid = e.extnamespace where s.nspname = 'public'`,
  },
  {
    name: "materialized_view_in_api",
    title: "Materialized view in the API",
    level: "WARN",
    description: "Finds materialized views that the API offers: row security does not apply to them.",
    remediation: "Revoke the privileges of anon and authenticated on it.",
    sql: `
      select s.name as schema, c.relname as name, 'view' as type,
          format('Materialized view \`%s.%s\` is selectable by anon or authenticated roles', s.name, c.relname) as detail
        ${reachedRelations} and c.relkind = 'm'`,
  },
  {
    name: "foreign_table_in_api",
    title: "Foreign table in the API",
    level: "WARN",
    description: "Finds foreign tables that the API offers: row security does not apply to them.",
    remediation: "Revoke the privileges of anon and authenticated on it.",
    sql: `
      select s.name as schema, c.relname as name, 'table' as type,
          format('Foreign table \`%s.%s\` is accessible over APIs', s.name, c.relname) as detail
        ${reachedRelations} and c.relkind = 'f'`,
  },
  {
    name: "unsupported_reg_types",
    title: "Columns that hinder upgrades",
    level: "WARN",
    description: "Finds columns of reg types whose values an upgrade of Postgres cannot carry over.",
    remediation: "Store names as text instead.",
    sql: `
      select s.name as schema, c.relname as name, 'table' as type, a.attname as part,
          format('Table \`%s.%s\` has a column \`%s\` with unsupported reg* type \`%s\`.', s.name, c.relname, a.attname, t.typname)
            as detail
        from pg_attribute a
          join pg_class c on c.oid = a.attrelid
          join own s on s.oid = c.relnamespace
          join pg_type t on t.oid = a.atttypid
        where c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
          and t.typnamespace = 'pg_catalog'::regnamespace
          and t.typname in ('regcollation', 'regconfig', 'regdictionary', 'regnamespace', 'regoper', 'regoperator',
            'regproc', 'regprocedure')`,
  },
] as const satisfies readonly SqlLint[];

export const securityLints = [...accessLints, ...definitionLints] as const;

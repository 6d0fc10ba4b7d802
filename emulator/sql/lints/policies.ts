/** The policies of the user's tables, with what they ask, as a subquery of a lint. */
export const policies = `
  select s.name as schema, c.relname as "table", c.relrowsecurity as "rowSecurity", p.polname as name,
      p.polpermissive as permissive, p.polcmd::text as command, p.polroles as roles,
      concat_ws(' ', pg_get_expr(p.polqual, c.oid), pg_get_expr(p.polwithcheck, c.oid)) as expressions
    from pg_policy p
      join pg_class c on c.oid = p.polrelid
      join own s on s.oid = c.relnamespace
    where ('pg_class'::regclass, c.oid) not in (select classid, objid from members)
`;

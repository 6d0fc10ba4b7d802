import { platformRoles } from "../sql/platform/new-database";
import type { CatalogReader } from "./catalog-reader";

interface RoleRow {
  readonly name: string;
  readonly login: boolean;
}

/** Roles that policies and grants may name; those of the server and of the platform are everywhere. */
export async function readRoles({ sql, add }: CatalogReader): Promise<void> {
  const { rows } = await sql.query<RoleRow>(
    `select quote_ident(rolname) as name, rolcanlogin as login from pg_roles
       where rolname !~ '^pg_' and rolname <> all($1::text[])`,
    [platformRoles(sql.names)],
  );
  for (const { name, login } of rows) {
    add({
      kind: "role",
      key: `role ${name}`,
      create: [`create role ${name} ${login ? "login" : "nologin"}`],
      drop: `drop role ${name}`,
    });
  }
}

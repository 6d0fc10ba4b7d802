import type { Database } from "./databases";

/** Prefix of the roles that the CLI logs in with for a while. */
const prefix = "cli_login_";

export interface LoginRole {
  readonly suffix: string;
  readonly password: string;
  readonly now: Date;
  readonly validUntil: Date;
  readonly isReadOnly: boolean;
}

/** Makes a role that can log in until a moment, and removes those whose moment is over; returns its name. */
export async function addLoginRole(database: Database, login: LoginRole): Promise<string> {
  const { suffix, password, now, validUntil, isReadOnly } = login;
  const memberOf = isReadOnly ? database.names("roles", "svc_read_only_user") : "postgres";
  const role = prefix + suffix;
  await database.asPlatform(async () => {
    await database.exec(dropping(`and rolvaliduntil <= '${now.toISOString()}'`));
    // Only letters, digits and the clock's own spelling get in between the quotes.
    await database.exec(
      `create role ${role} login password '${password}' valid until '${validUntil.toISOString()}' in role "${memberOf}"`,
    );
  });
  return role;
}

export async function dropLoginRoles(database: Database): Promise<void> {
  await database.asPlatform(() => database.exec(dropping("")));
}

/** What such a role made stays, in the hands of `postgres`. */
const dropping = (condition: string): string => `
do $$
declare login name;
begin
  for login in select rolname from pg_roles where starts_with(rolname, '${prefix}') ${condition} loop
    execute format('reassign owned by %I to postgres', login);
    execute format('drop owned by %I', login);
    execute format('drop role %I', login);
  end loop;
end $$;
`;

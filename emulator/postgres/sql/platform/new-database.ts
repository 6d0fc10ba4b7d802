import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DATABASE_PLACEHOLDERS } from "../../../../spec/names/neutral-words";
import { packageFile } from "../../../machine/package-file";
import { type DatabaseNames, spell } from "./spelling";

/** In this order, which is that of their names. */
const FILES = ["1-roles", "2-schemas", "3-auth", "4-storage", "5-realtime", "6-events", "7-guard"];

/** What makes an empty database one of a new project, run by its superuser. */
export function newDatabase(names: DatabaseNames): string {
  return FILES.map((name) => readPlatformSql(name, names)).join("\n");
}

/** A file of SQL beside this one, in the installation's words. */
export function readPlatformSql(name: string, names: DatabaseNames): string {
  const path = join("emulator", "postgres", "sql", "platform", `${name}.sql`);
  const file = packageFile(path);
  if (file === undefined) throw new Error(`${path} is missing from this package: install it again`);
  return spell(readFileSync(file, "utf8"), names);
}

/** Schemas of the platform and its extensions: users may read them, but what is in them is not theirs to shape. */
export function platformSchemas(names: DatabaseNames): string[] {
  return [
    "auth",
    "storage",
    "realtime",
    "extensions",
    "vault",
    "graphql",
    "graphql_public",
    "cron",
    "net",
    "pgmq",
    "pgtle",
    "repack",
    ...DATABASE_PLACEHOLDERS.schemas.map((schema) => names("schemas", schema)),
  ];
}

/** Roles that only the platform makes. */
export function platformRoles(names: DatabaseNames): string[] {
  return [
    "postgres",
    "anon",
    "authenticated",
    "service_role",
    "authenticator",
    "dashboard_user",
    "pgtle_admin",
    ...DATABASE_PLACEHOLDERS.roles.map((role) => names("roles", role)),
  ];
}

/**
 * The words that the specification writes where an installation has a name of its own (service, Names), as part
 * of a longer name and in any case: `external_idp01_enabled`, `AWS_PARTNER`.
 */
const NEUTRAL =
  /(?<![a-z0-9])(?:idp\d\d|vendor[a-d]|partner|svc|legacy[-_]pooler|crypto[-_]ext|rest[-_]layer|auth_id)(?![a-z0-9])/i;

/** The service's own word in what it issues: API keys begin with it. */
export const KEY_PREFIX = "svc";

/** What its JWTs name as their issuer; where a names file has no word for it, it is that of the keys. */
export const JWT_ISSUER = "svc_jwt";

/** Beginning of the names of environment variables that are the service's own. */
export const RESERVED_PREFIX = "SVC_";

/** What a project's database has with a product's word in its name, by the section of a names file (service, A new database). */
export const DATABASE_PLACEHOLDERS = {
  schemas: ["crypto_ext", "legacy_pooler", "svc_functions", "svc_migrations"],
  roles: [
    "legacy_pooler",
    "svc_admin",
    "svc_auth_admin",
    "svc_etl_admin",
    "svc_functions_admin",
    "svc_read_only_user",
    "svc_realtime_admin",
    "svc_replication_admin",
    "svc_storage_admin",
  ],
  publications: ["svc_realtime"],
  extensions: ["crypto_ext", "svc_vault"],
  eventTriggers: ["rest_ddl_watch", "rest_drop_watch"],
} as const;

/**
 * What only the platform's command-line tool has: its folder, and keys of its configuration file that no field of the API
 * is called by. `former_…` are names that it has withdrawn.
 */
export const TOOL_PLACEHOLDERS = [
  "differ",
  "engine_version",
  "former_local_smtp",
  "former_provider",
  "svc",
  "tpa1",
  "tpa2",
  "tpa3",
  "tpa4",
  "tpa5",
] as const;

export type ToolPlaceholder = (typeof TOOL_PLACEHOLDERS)[number];

export type DatabaseSection = keyof typeof DATABASE_PLACEHOLDERS;
export type DatabasePlaceholder<Section extends DatabaseSection> =
  (typeof DATABASE_PLACEHOLDERS)[Section][number];
export type SchemaPlaceholder = DatabasePlaceholder<"schemas">;

export function isPlaceholder(name: string): boolean {
  return NEUTRAL.test(name);
}

/** The part of a field's name that ends with the neutral word and its underscore, where more follows. */
export function placeholderPrefix(field: string): string | undefined {
  const found = NEUTRAL.exec(field);
  if (found === null) return undefined;
  const end = found.index + found[0].length + 1;
  return end < field.length ? field.slice(0, end) : undefined;
}

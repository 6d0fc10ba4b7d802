/**
 * The words that the specification writes where an installation has a name of its own (service, Names), as part
 * of a longer name and in any case: `external_idp01_enabled`, `AWS_PARTNER`.
 */
const NEUTRAL =
  /(?<![a-z0-9])(?:idp\d\d|vendor[a-d]|partner|svc|legacy[-_]pooler|crypto[-_]ext|rest[-_]layer)(?![a-z0-9])/i;

/** The service's own word in what it issues: API keys begin with it, and JWTs name it as their issuer. */
export const ISSUER = "svc";

/** Schemas of a project's database that have a product's word in their names (service, Migrations). */
export const SCHEMAS = ["crypto_ext", "legacy_pooler", "svc_functions", "svc_migrations"] as const;

export type SchemaStandIn = (typeof SCHEMAS)[number];

export function isStandIn(name: string): boolean {
  return NEUTRAL.test(name);
}

/** The part of a field's name that ends with the neutral word and its underscore, where more follows. */
export function standInPrefixOf(field: string): string | undefined {
  const found = NEUTRAL.exec(field);
  if (found === null) return undefined;
  const end = found.index + found[0].length + 1;
  return end < field.length ? field.slice(0, end) : undefined;
}

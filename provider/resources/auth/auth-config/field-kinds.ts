import { createHmac } from "node:crypto";
import { z } from "zod";
import type { updateAuthConfigBody } from "../../../../spec/auth-config-body";
import type { SettingsFor } from "../../../settings/mapping/wire-names";
import { openRange } from "../../../define/open-values";
import { comparedBy, fileOf, grouped, hashedBy, secret } from "../../../define/markers";

type Body = z.input<typeof updateAuthConfigBody>;

export type BodyField = keyof Body;

/** The names of the body's fields that begin with a prefix. */
export type PrefixedField<Prefix extends string> = Extract<BodyField, `${Prefix}${string}`>;

/** The settings that a group needs for the fields that begin with its prefix, without those of `Others`. */
export type PrefixSettings<Prefix extends string, Others extends string = never> = SettingsFor<
  Body,
  Exclude<PrefixedField<Prefix>, Others>,
  Prefix
>;

/** The settings of fields by their full names. */
export type NamedFieldSettings<Names extends BodyField> = SettingsFor<Body, Names>;

/** The service has no text and an empty one alike. */
const unsetIfEmpty = (value: unknown): unknown => (value === "" ? undefined : value);

/** What the service shows in place of a secret (service, Values that come back changed). */
const hmac = (value: string, projectRef: string): string =>
  createHmac("sha256", projectRef).update(value).digest("hex");

export function flag(what: string) {
  return z.boolean().describe(`Whether ${what}.`).optional();
}

export function text(what: string) {
  return textLike(z.string().describe(`${what}.`));
}

/** A text of some form. */
export function textLike<S extends z.ZodType>(schema: S) {
  return comparedBy(schema, unsetIfEmpty).optional();
}

export function count(what: string, least = 0, most = 2_147_483_647) {
  const range = most === 2_147_483_647 ? `at least ${least}` : `from ${least} to ${most}`;
  return openRange({ least, most }).describe(`${what}: ${range}.`).optional();
}

/** A secret of which the service shows a hash, by which drift is found. */
export function secretText(what: string) {
  return hashedBy(secret(comparedBy(z.string().describe(`${what}.`), unsetIfEmpty)), hmac).optional();
}

export function textFile(sibling: string) {
  return fileOf(
    z
      .string()
      .min(1)
      .describe(
        `File with the text of \`${sibling}\`, relative to the program's folder. Use one of the two. A change of the file changes the setting.`,
      ),
    sibling,
  ).optional();
}

/** Settings that belong together, each of which is managed by itself. */
export function group<S extends z.ZodRawShape>(name: string, description: string, fields: S) {
  const named = z.strictObject(fields).meta({ id: `AuthConfig${name}`, description });
  return grouped(named.describe(description)).optional();
}

import { z } from "zod";
import { newerAuthConfigFields } from "../../../../spec/auth-config-fields";
import { updateAuthConfigBody } from "../../../../spec/auth-config-body";
import { newAuthConfig, newerAuthSettings } from "../../../../spec/new-project";
import type { Api } from "../../../define/context";
import { defineSettings } from "../../../settings/settings";
import type { WireValues } from "../../../settings/settings-mapping";
import { checkRequirements, problems } from "./requirements";
import { authSettings, authWireNames } from "./settings";

type Answer = Awaited<ReturnType<Api["getAuthConfig"]>>;

function fromWire(answer: Answer): object {
  const {
    saml_allow_encrypted_assertions: samlAllowEncryptedAssertions,
    partner_oauth_email_optional: partnerOauthEmailOptional,
    custom_oauth_max_providers: customOauthMaxProviders,
    ...settings
  } = answer;
  return { ...settings, samlAllowEncryptedAssertions, partnerOauthEmailOptional, customOauthMaxProviders };
}

/** How users of a project sign up and sign in. */
export const authConfig = defineSettings({
  type: "AuthConfig",
  description:
    "The auth configuration of a project: how its users sign up and sign in. Only the settings you declare are managed, also inside groups such as `smtp`; the others are left alone. Secrets are compared by hash, so a secret changed elsewhere is drift. If you remove a setting or delete the resource, the earlier value is restored, except for secrets. An import declares the settings that differ from a new project, without secrets and email templates.",
  settings: authSettings,
  options: {},
  outputs: {
    samlAllowEncryptedAssertions: z
      .boolean()
      .describe("Whether SAML assertions may be encrypted.")
      .optional(),
    partnerOauthEmailOptional: z
      .boolean()
      .describe("Whether users of the partner without an email address can sign in.")
      .optional(),
    customOauthMaxProviders: z.int().describe("Maximum number of additional OAuth providers."),
  },
  wireNames: authWireNames,
  body: updateAuthConfigBody,
  newer: newerAuthConfigFields,
  timeouts: { create: 600, update: 600, delete: 600 },
  problems,
  check: checkRequirements,
  mode: "merge",
  services: ["auth"],
  showsAll: true,
  emptiedBy: ["smtp.host"],
  asDeclared: splitClientIds,
  newProject: [{ ...newAuthConfig, ...newerAuthSettings }],
  leftOutOfImports: {
    paths: /^mailer\.templates\./,
    says: "settings with the values of a new project, secrets and email templates are not imported: declare those that you want to manage.",
  },
  get: async (ctx, ref) => fromWire(await ctx.api.getAuthConfig({ ref })),
  put: async (ctx, ref, body) => {
    await ctx.api.updateAuthConfig({ ref, body });
    // The answer has null where a read shows a default (service, Auth configuration): the next read asks.
    return undefined;
  },
});

/** The slots that take further client ids. */
const SLOTS = ["external_idp01", "external_idp09"] as const;

/**
 * Further client ids as they are declared, where the service has folded them into the client id
 * (service, Auth configuration).
 */
function splitClientIds(seen: WireValues, declared: WireValues): WireValues {
  return SLOTS.reduce((wire, slot) => ({ ...wire, ...splitSlotIds(slot, wire, declared) }), seen);
}

function splitSlotIds(slot: (typeof SLOTS)[number], seen: WireValues, declared: WireValues): WireValues {
  const [own, further] = [`${slot}_client_id`, `${slot}_additional_client_ids`];
  const ids = idsIn(seen[own]);
  if (ids.length === 0 || idsIn(seen[further]).length > 0) return {};
  const [first, rest] = [idsIn(declared[own]), idsIn(declared[further])];
  const splitAt = (at: number): WireValues => ({
    [own]: toDeclaredForm(declared[own], ids.slice(0, at)),
    [further]: toDeclaredForm(declared[further], ids.slice(at)),
  });
  if (first.length > 0 && isSame(ids.slice(0, first.length), first)) return splitAt(first.length);
  if (rest.length > 0 && isSame(ids.slice(-rest.length), rest)) return splitAt(ids.length - rest.length);
  return {};
}

/** In the declared spelling where it has the same ids. */
function toDeclaredForm(declared: unknown, ids: readonly string[]): unknown {
  if (ids.length === 0) return null;
  return isSame(idsIn(declared), ids) ? declared : ids.join(",");
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((id, index) => id === right[index]);
}

function idsIn(value: unknown): string[] {
  if (typeof value !== "string") return [];
  return value
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "");
}

import { z } from "zod";
import { newerAuthConfigFields } from "../../../../spec/auth-config-fields";
import { updateAuthConfigBody } from "../../../../spec/auth-config-body";
import { newAuthConfig, newerAuthSettings } from "../../../../spec/new-project";
import type { Api } from "../../../define/context";
import { defineSettings } from "../../../settings/settings";
import { omitBelow } from "../../../settings/mapping/setting-fields";
import { AuthMapping } from "./mapping";
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

/** Switches that let in more users, or users of whom less is known. */
const LETS_IN: ReadonlySet<string> = new Set([
  "externalAnonymousUsersEnabled",
  "externalEmailEnabled",
  "externalPhoneEnabled",
  "externalWeb3EthereumEnabled",
  "externalWeb3SolanaEnabled",
  "mailer.allowUnverifiedEmailSignIns",
  "mailer.autoconfirm",
  "passkeyEnabled",
  "sms.autoconfirm",
]);

/** Switches that ask more of a user. */
const KEEPS_OUT: ReadonlySet<string> = new Set([
  "disableSignup",
  "mailer.secureEmailChangeEnabled",
  "password.hibpEnabled",
  "security.captchaEnabled",
  "security.updatePasswordRequireReauthentication",
]);

const settings = defineSettings(
  {
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
    opens: (from, to, name) => (LETS_IN.has(name) && to === true) || (KEEPS_OUT.has(name) && from === true),
    newProject: [{ ...newAuthConfig, ...newerAuthSettings }],
    get: async (ctx, ref) => fromWire(await ctx.api.getAuthConfig({ ref })),
    inProjectConfig: { pick: ({ auth }) => auth && fromWire(auth), keptOutputs: [] },
    put: async (ctx, ref, body) => {
      await ctx.api.updateAuthConfig({ ref, body });
      // The answer has null where a read shows a default (service, Auth configuration): the next read asks.
      return undefined;
    },
  },
  { Mapping: AuthMapping },
);

/** How users of a project sign up and sign in. */
export const authConfig: typeof settings = {
  ...settings,
  importId: {
    ...settings.importId,
    // It is not known what a new project has of the templates.
    declares: (observed) => settings.importId.declares?.(omitBelow(observed, ["mailer", "templates"])) ?? {},
    leavesOut:
      "settings with the values of a new project, secrets and email templates are not imported: declare those that you want to manage.",
  },
};

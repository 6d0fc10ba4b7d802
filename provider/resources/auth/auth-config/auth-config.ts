import { z } from "zod";
import { updateAuthConfigBody } from "../../../../spec/auth-config-body";
import { newAuthConfig } from "../../../../spec/new-project";
import { defineSettings } from "../../../settings/settings";
import { startingCalls } from "../../../waiting/starting-calls";
import type { Api } from "../../../define/context";
import { unfolded } from "./client-ids";
import { problems } from "./problems";
import { checkRequirements } from "./requirements";
import { authSettings } from "./settings";
import { authWireNames } from "./wire-names";

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
    "The auth configuration of a project: how its users sign up and sign in. Only declared settings are managed, those of a group one by one; all others stay as they are. Secrets are compared by their hash, so a secret changed elsewhere is drift. Taking a setting out of the program, or deleting the resource, restores the previous value; a secret that was there before cannot be restored. An import declares the settings that differ from those of a new project, without secrets and the templates of emails.",
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
    customOauthMaxProviders: z.int().describe("Maximum number of further OAuth providers."),
  },
  wireNames: authWireNames,
  body: updateAuthConfigBody,
  timeouts: { create: 600, update: 600, delete: 600 },
  problems,
  check: checkRequirements,
  conditionalCalls: startingCalls("create", "update", "delete"),
  mode: "merge",
  services: ["auth"],
  showsAll: true,
  emptiedBy: ["smtp.host"],
  asDeclared: unfolded,
  newProject: [newAuthConfig],
  leftOutOfImports: {
    paths: /^mailer\.templates\./,
    says: "the settings that are as in a new project are not declared, nor are secrets and the templates of emails: declare those that you want to manage.",
  },
  get: async (ctx, ref) => fromWire(await ctx.api.getAuthConfig({ ref })),
  put: async (ctx, ref, body) => {
    await ctx.api.updateAuthConfig({ ref, body });
    // The answer has null where a read shows a default (service, Auth configuration): the next read asks.
    return undefined;
  },
});

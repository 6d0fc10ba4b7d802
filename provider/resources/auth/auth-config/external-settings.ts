import type { z } from "zod";
import { flag, group, secretText, text, type PrefixedField, type PrefixSettings } from "./field-kinds";

const provider = {
  enabled: flag("users can sign in with this provider; requires `clientId` and `secret`"),
  clientId: text("Client ID at the provider; separate several of one application with commas"),
  secret: secretText("Client secret at the provider"),
};

const emailOptional = flag("users without an email address can sign in");

const url = text("URL of the provider, if it is self-hosted or belongs to a tenant");

const additionalClientIds = text("Client IDs of additional applications, separated by commas");

const usual = { ...provider, emailOptional } satisfies PrefixSettings<"external_idp03_">;

const atUrl = { ...usual, url } satisfies PrefixSettings<"external_idp02_">;

const atUrlWithEmail = { ...provider, url } satisfies PrefixSettings<"external_idp20_">;

const ofApplications = { ...usual, additionalClientIds } satisfies PrefixSettings<"external_idp01_">;

const withoutNonce = {
  ...ofApplications,
  skipNonceCheck: flag("the nonce of an ID token is not checked"),
} satisfies PrefixSettings<"external_idp09_">;

const slot = group("IdentityProvider", "An identity provider.", usual);
const slotAtUrl = group("IdentityProviderAtUrl", "An identity provider with a URL.", atUrl);

type ExternalSlot =
  PrefixedField<"external_idp"> extends infer N
    ? N extends `external_${infer S}_enabled`
      ? S
      : never
    : never;

/** Every slot has what the API has of it, which only some have a URL or further clients of. */
type ExternalSlots = {
  readonly [S in ExternalSlot]: z.ZodOptional<z.ZodObject<PrefixSettings<`external_${S}_`>, z.core.$strict>>;
};

const BY_SLOT =
  "Identity providers, by slot. Which provider a slot is, the names file of the installation says (`management:names`). The command `management-names` makes a module of that file, so that a program can use the installation's words (`docs/names.md`).";

export const external = group("External", BY_SLOT, {
  idp01: group(
    "IdentityProviderOfApplications",
    "An identity provider of several applications.",
    ofApplications,
  ),
  idp02: slotAtUrl,
  idp03: slot,
  idp04: slot,
  idp05: slot,
  idp06: slot,
  idp07: slot,
  idp08: slotAtUrl,
  idp09: group(
    "IdentityProviderWithoutNonce",
    "An identity provider of several applications, whose nonce may be left unchecked.",
    withoutNonce,
  ),
  idp10: slot,
  idp11: slotAtUrl,
  idp12: slot,
  idp13: slot,
  idp14: slot,
  idp15: slot,
  idp16: slot,
  idp17: slot,
  idp18: slot,
  idp19: slot,
  idp20: group(
    "IdentityProviderWithEmail",
    "An identity provider with a URL that always has an email address.",
    atUrlWithEmail,
  ),
  idp21: slot,
} satisfies ExternalSlots);

import { z } from "zod";
import { nameIdFormat } from "../../../../spec/operations/sso-providers";
import { asSet, comparedBy, formed, identifies, replaces, stable } from "../../../define/markers";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { normalizeDomains, normalizeXml } from "./metadata";

const mappedAttribute = z
  .strictObject({
    name: z.string().describe("Name of the SAML attribute.").optional(),
    names: z
      .array(z.string())
      .describe("Names of the SAML attribute, of which the first one present counts.")
      .optional(),
    default: z
      .union([z.string(), z.number(), z.boolean(), z.record(z.string(), z.unknown())])
      .describe("Value where the attribute is missing.")
      .optional(),
    array: z.boolean().describe("Whether all values are kept instead of the first one.").optional(),
  })
  .meta({
    id: "SsoProviderAttributeMappingKey",
    description: "The SAML attribute from which a user's attribute is taken.",
  });

export const ssoProviderInputs = z.strictObject({
  projectRef,
  type: replaces(z.literal("saml").describe("Kind of provider: `saml`, which is the default.")).optional(),
  metadataXml: identifies(
    comparedBy(
      z
        .string()
        .min(1)
        .describe("The identity provider's SAML metadata document; exactly one of this and `metadataUrl`."),
      normalizeXml,
    ),
  ).optional(),
  metadataUrl: identifies(
    formed(z.url({ protocol: /^https$/ }), "an `https` address", "https://idp.example.com/metadata").describe(
      "`https` address from which the service fetches the metadata; exactly one of this and `metadataXml`.",
    ),
  ).optional(),
  domains: identifies(
    comparedBy(
      asSet(
        z
          .array(z.string().min(1))
          .describe("Domains of e-mail addresses whose users sign in here; a set, each with one provider."),
      ),
      normalizeDomains,
    ),
  ).optional(),
  attributeMapping: z
    .strictObject({
      keys: z
        .record(z.string(), mappedAttribute)
        .describe("By the name of the user's attribute: the SAML attribute it is taken from."),
    })
    .meta({
      id: "SsoProviderAttributeMapping",
      description: "How SAML attributes become attributes of the user.",
    })
    .optional(),
  nameIdFormat: nameIdFormat
    .describe("Format of the name identifier that is asked for, a SAML URN.")
    .optional(),
  ...everyResource,
});

export const ssoProviderOutputs = z.object({
  entityId: z.string().describe("Entity id in the identity provider's metadata.").optional(),
  samlId: stable(z.string().describe("The service's identifier of the SAML settings.")).optional(),
  createdAt: stable(z.string().describe("Time of creation, ISO 8601.")).optional(),
  updatedAt: z.string().describe("Time of the last change, ISO 8601.").optional(),
});

export type SsoProviderInputs = z.output<typeof ssoProviderInputs>;
export type SsoProviderOutputs = z.output<typeof ssoProviderOutputs>;

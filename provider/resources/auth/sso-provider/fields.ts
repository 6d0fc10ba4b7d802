import { z } from "zod";
import { nameIdFormat } from "../../../../spec/operations/sso-providers";
import { openEnum } from "../../../define/open-values";
import {
  asSet,
  comparedBy,
  formed,
  identifies,
  replaces,
  resets,
  stable,
  stays,
} from "../../../define/markers";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { normalizeDomains, normalizeXml } from "./metadata";

const mappedAttribute = z
  .strictObject({
    name: z.string().describe("Name of the SAML attribute.").optional(),
    names: z
      .array(z.string())
      .describe("Names of the SAML attribute. The first one present is used.")
      .optional(),
    default: z
      .union([z.string(), z.number(), z.boolean(), z.record(z.string(), z.unknown())])
      .describe("Value if the attribute is missing.")
      .optional(),
    array: z.boolean().describe("Whether to keep all values instead of only the first.").optional(),
  })
  .meta({
    id: "SsoProviderAttributeMappingKey",
    description: "The SAML attribute that supplies a user's attribute.",
  });

export const ssoProviderInputs = z.strictObject({
  projectRef,
  type: replaces(z.literal("saml").describe("Type of provider. Default: `saml`.")).optional(),
  // Exactly one of the two is declared: the other one takes its place.
  metadataXml: resets(
    identifies(
      comparedBy(
        z
          .string()
          .min(1)
          .describe(
            "SAML metadata document of the identity provider. Exactly one of `metadataXml` and `metadataUrl` is required.",
          ),
        normalizeXml,
      ),
    ),
  ).optional(),
  metadataUrl: resets(
    identifies(
      formed(
        z.url({ protocol: /^https$/ }),
        "an `https` address",
        "https://idp.example.com/metadata",
      ).describe(
        "`https` URL from which the service fetches the metadata. Exactly one of `metadataXml` and `metadataUrl` is required.",
      ),
    ),
  ).optional(),
  domains: stays(
    identifies(
      comparedBy(
        asSet(
          z
            .array(z.string().min(1))
            .describe(
              "Email domains whose users sign in with this provider, a set. Each domain belongs to one provider. An empty list removes the domains; if you remove the input, they stay.",
            ),
        ),
        normalizeDomains,
      ),
    ),
    "To remove the domains, declare `[]`.",
  ).optional(),
  attributeMapping: stays(
    z
      .strictObject({
        keys: z
          .record(z.string(), mappedAttribute)
          .describe("SAML attributes by the name of the user's attribute."),
      })
      .meta({
        id: "SsoProviderAttributeMapping",
        description: "Mapping of SAML attributes to user attributes.",
      }),
    "To remove the mapping, declare `{ keys: {} }`.",
  ).optional(),
  nameIdFormat: stays(
    openEnum(nameIdFormat).describe("Requested format of the name identifier, a SAML URN."),
    "For another format, declare it.",
  ).optional(),
  ...everyResource,
});

export const ssoProviderOutputs = z.object({
  entityId: z.string().describe("Entity ID from the identity provider's metadata."),
  samlId: stable(
    z.string().describe("Identifier of the SAML settings. Absent where the service does not return it."),
  ).optional(),
  createdAt: stable(z.string().describe("Creation time, ISO 8601.")),
  updatedAt: z.string().describe("Time of the last change, ISO 8601."),
});

export type SsoProviderInputs = z.output<typeof ssoProviderInputs>;
export type SsoProviderOutputs = z.output<typeof ssoProviderOutputs>;

import { z } from "zod";
import { identifier } from "../identifier";
import { answers, answersOfNamed, json, operation } from "../operation";
import { projectRef } from "../shared-fields";
import { keepsUnknownKeys } from "../unknown-keys";

export const nameIdFormat = z
  .enum([
    "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified",
    "urn:oasis:names:tc:SAML:2.0:nameid-format:transient",
    "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
    "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
  ])
  .meta({
    id: "SsoProviderNameIdFormat",
    description: "Format of a SAML name identifier.",
    valueNames: {
      "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified": "Unspecified",
      "urn:oasis:names:tc:SAML:2.0:nameid-format:transient": "Transient",
      "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress": "EmailAddress",
      "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent": "Persistent",
    },
  });

/** How SAML attributes become user attributes. */
export const attributeMapping = keepsUnknownKeys(
  z.object({
    keys: z.record(
      z.string(),
      keepsUnknownKeys(
        z.object({
          name: z.string().optional(),
          names: z.array(z.string()).optional(),
          default: z
            .union([z.record(z.string(), z.unknown()), z.number(), z.string(), z.boolean()])
            .optional(),
          array: z.boolean().optional(),
        }),
      ),
    ),
  }),
);

export const createSsoProviderBody = z.object({
  type: z.literal("saml"),
  metadata_xml: z.string().optional(),
  metadata_url: z.string().optional(),
  domains: z.array(z.string()).optional(),
  attribute_mapping: attributeMapping.optional(),
  name_id_format: nameIdFormat.optional(),
});

export const ssoProvider = z.object({
  id: identifier(z.string()),
  disabled: z.boolean().nullable().optional(),
  saml: z
    .object({
      id: z.string().optional(),
      entity_id: z.string(),
      metadata_url: z.string().optional(),
      metadata_xml: z.string().optional(),
      attribute_mapping: attributeMapping.partial().optional(),
      name_id_format: nameIdFormat.optional(),
    })
    .optional(),
  domains: z
    .array(
      z.object({
        id: z.string().optional(),
        domain: z.string().optional(),
        created_at: z.string().optional(),
        updated_at: z.string().optional(),
      }),
    )
    .optional(),
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
});

export const updateSsoProviderBody = z.object({
  metadata_xml: z.string().optional(),
  metadata_url: z.string().optional(),
  domains: z.array(z.string()).optional(),
  attribute_mapping: attributeMapping.optional(),
  name_id_format: nameIdFormat.optional(),
});

export const ssoProvidersResponse = z.object({ items: z.array(ssoProvider) });

/** `GET /v1/projects/{ref}/config/auth/sso/providers` */
export const listSsoProviders = operation({
  method: "GET",
  path: "/v1/projects/{ref}/config/auth/sso/providers",
  params: z.object({ ref: projectRef }),
  success: answers(200, ssoProvidersResponse),
  errors: [401, 403, 404, 429],
  scope: "auth:read",
  permissions: [["auth_config_read"]],
});

/** `POST /v1/projects/{ref}/config/auth/sso/providers` */
export const createSsoProvider = operation({
  method: "POST",
  path: "/v1/projects/{ref}/config/auth/sso/providers",
  params: z.object({ ref: projectRef }),
  body: json(createSsoProviderBody),
  success: answers(201, ssoProvider),
  errors: [401, 403, 404, 429],
  scope: "auth:write",
  permissions: [["auth_config_write"]],
});

/** `GET /v1/projects/{ref}/config/auth/sso/providers/{provider_id}` */
export const getSsoProvider = operation({
  method: "GET",
  path: "/v1/projects/{ref}/config/auth/sso/providers/{provider_id}",
  params: z.object({ ref: projectRef, provider_id: z.uuid() }),
  success: answers(200, ssoProvider),
  errors: [401, 403, 404, 429],
  scope: "auth:read",
  permissions: [["auth_config_read"]],
});

/** `PUT /v1/projects/{ref}/config/auth/sso/providers/{provider_id}` */
export const updateSsoProvider = operation({
  method: "PUT",
  path: "/v1/projects/{ref}/config/auth/sso/providers/{provider_id}",
  params: z.object({ ref: projectRef, provider_id: z.uuid() }),
  body: json(updateSsoProviderBody),
  success: answersOfNamed(200, ssoProvider),
  errors: [401, 403, 404, 429],
  scope: "auth:write",
  permissions: [["auth_config_write"]],
});

/** `DELETE /v1/projects/{ref}/config/auth/sso/providers/{provider_id}` */
export const deleteSsoProvider = operation({
  method: "DELETE",
  path: "/v1/projects/{ref}/config/auth/sso/providers/{provider_id}",
  params: z.object({ ref: projectRef, provider_id: z.uuid() }),
  success: answersOfNamed(200, ssoProvider),
  errors: [401, 403, 404, 429],
  scope: "auth:write",
  permissions: [["auth_config_write"]],
});

export const ssoProvidersOperations = {
  listSsoProviders,
  createSsoProvider,
  getSsoProvider,
  updateSsoProvider,
  deleteSsoProvider,
};

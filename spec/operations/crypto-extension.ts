import { z } from "zod";
import { answers, json, operation } from "../operation";
import { projectRef } from "../shared-fields";

export const cryptoExtConfigResponse = z.object({ root_key: z.string() });

export const updateCryptoExtConfigBody = z.object({ root_key: z.string() });

/** `GET /v1/projects/{ref}/crypto-ext` */
export const getCryptoExtConfig = operation({
  method: "GET",
  path: "/v1/projects/{ref}/crypto-ext",
  params: z.object({ ref: projectRef }),
  success: answers(200, cryptoExtConfigResponse),
  errors: [401, 403, 429, 500],
  scope: "secrets:read",
  permissions: [["project_admin_write"]],
  stability: ["beta"],
});

/** `PUT /v1/projects/{ref}/crypto-ext` */
export const updateCryptoExtConfig = operation({
  method: "PUT",
  path: "/v1/projects/{ref}/crypto-ext",
  params: z.object({ ref: projectRef }),
  body: json(updateCryptoExtConfigBody),
  success: answers(200, cryptoExtConfigResponse),
  errors: [401, 403, 429, 500],
  scope: "secrets:write",
  permissions: [["project_admin_write"]],
  stability: ["beta"],
});

export const cryptoExtensionOperations = { getCryptoExtConfig, updateCryptoExtConfig };

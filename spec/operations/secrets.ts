import { z } from "zod";
import { identifier } from "../identifier";
import { answers, answersEmpty, json, operation } from "../operation";
import { projectRef, secretName } from "../shared-fields";

export const secretResponse = z.object({
  name: secretName(identifier(z.string())),
  value: z.string(),
  updated_at: z.string().optional(),
});

export const createSecretBody = z.array(
  z.object({
    name: secretName(
      z
        .string()
        .max(256)
        .regex(/^(?!SVC_).*/),
    ),
    value: z.string().max(24576),
  }),
);

export const deleteSecretsBody = z.array(secretName(z.string()));

/** `GET /v1/projects/{ref}/secrets` */
export const listSecrets = operation({
  method: "GET",
  path: "/v1/projects/{ref}/secrets",
  params: z.object({ ref: projectRef }),
  success: answers(200, z.array(secretResponse)),
  errors: [401, 403, 429, 500],
  scope: "secrets:read",
  permissions: [["edge_functions_secrets_read"]],
});

/** `POST /v1/projects/{ref}/secrets` */
export const createSecrets = operation({
  method: "POST",
  path: "/v1/projects/{ref}/secrets",
  params: z.object({ ref: projectRef }),
  body: json(createSecretBody),
  success: answersEmpty(201, null),
  errors: [401, 403, 429, 500],
  scope: "secrets:write",
  permissions: [["edge_functions_secrets_write"]],
  idempotent: true,
});

/** `DELETE /v1/projects/{ref}/secrets` */
export const deleteSecrets = operation({
  method: "DELETE",
  path: "/v1/projects/{ref}/secrets",
  params: z.object({ ref: projectRef }),
  body: json(deleteSecretsBody),
  success: answersEmpty(200, null),
  errors: [401, 403, 429, 500],
  scope: "secrets:write",
  permissions: [["edge_functions_secrets_write"]],
});

export const secretsOperations = { listSecrets, createSecrets, deleteSecrets };

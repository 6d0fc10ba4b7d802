import { z } from "zod";
import { identifier } from "../identifier";
import { answers, answersEmpty, json, operation } from "../operation";
import { projectRef } from "../shared-fields";

export const addonType = z.enum([
  "custom_domain",
  "compute_instance",
  "pitr",
  "ipv4",
  "auth_mfa_phone",
  "auth_mfa_web_authn",
  "log_drain",
]);

export const computeVariant = z.enum([
  "ci_micro",
  "ci_small",
  "ci_medium",
  "ci_large",
  "ci_xlarge",
  "ci_2xlarge",
  "ci_4xlarge",
  "ci_8xlarge",
  "ci_12xlarge",
  "ci_16xlarge",
  "ci_24xlarge",
  "ci_24xlarge_optimized_cpu",
  "ci_24xlarge_optimized_memory",
  "ci_24xlarge_high_memory",
  "ci_48xlarge",
  "ci_48xlarge_optimized_cpu",
  "ci_48xlarge_optimized_memory",
  "ci_48xlarge_high_memory",
]);

/** A variant of an add-on, with its price. */
export const addonVariant = z.object({
  id: z.union([
    computeVariant,
    z.literal("cd_default"),
    z.enum(["pitr_7", "pitr_14", "pitr_28"]),
    z.literal("ipv4_default"),
    z.literal("auth_mfa_phone_default"),
    z.literal("auth_mfa_web_authn_default"),
    z.literal("log_drain_default"),
  ]),
  name: z.string(),
  price: z.object({
    description: z.string(),
    type: z.enum(["fixed", "usage"]),
    interval: z.enum(["monthly", "hourly"]),
    amount: z.number(),
  }),
  meta: z.unknown().optional(),
});

export const listProjectAddonsResponse = z.object({
  selected_addons: z.array(
    z.object({
      type: identifier(addonType),
      variant: addonVariant,
    }),
  ),
  available_addons: z.array(
    z.object({
      type: addonType,
      name: z.string(),
      variants: z.array(addonVariant),
    }),
  ),
});

export const applyProjectAddonBody = z.object({
  addon_variant: z.union([
    computeVariant,
    z.literal("cd_default"),
    z.enum(["pitr_7", "pitr_14", "pitr_28"]),
    z.literal("ipv4_default"),
  ]),
  addon_type: addonType,
});

/** `GET /v1/projects/{ref}/billing/addons` */
export const listAddons = operation({
  method: "GET",
  path: "/v1/projects/{ref}/billing/addons",
  params: z.object({ ref: projectRef }),
  success: answers(200, listProjectAddonsResponse),
  errors: [401, 403, 429, 500],
  permissions: [["infra_add_ons_read"]],
});

/** `PATCH /v1/projects/{ref}/billing/addons` */
export const applyAddon = operation({
  method: "PATCH",
  path: "/v1/projects/{ref}/billing/addons",
  params: z.object({ ref: projectRef }),
  body: json(applyProjectAddonBody),
  success: answersEmpty(200),
  errors: [401, 403, 429, 500],
  permissions: [["infra_add_ons_write"]],
});

/** `DELETE /v1/projects/{ref}/billing/addons/{addon_variant}` */
export const removeAddon = operation({
  method: "DELETE",
  path: "/v1/projects/{ref}/billing/addons/{addon_variant}",
  params: z.object({
    ref: projectRef,
    addon_variant: z.union([
      computeVariant,
      z.literal("cd_default"),
      z.enum(["pitr_7", "pitr_14", "pitr_28"]),
      z.literal("ipv4_default"),
    ]),
  }),
  success: answersEmpty(200),
  errors: [401, 403, 429, 500],
  permissions: [["infra_add_ons_write"]],
});

export const billingOperations = { listAddons, applyAddon, removeAddon };

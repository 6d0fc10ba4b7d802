import { z } from "zod";
import { answers, operation } from "../operation";
import { projectRef } from "../shared-fields";

export const projectAdvisorsResponse = z.object({
  lints: z.array(
    z.object({
      name: z.enum([
        "unindexed_foreign_keys",
        "auth_users_exposed",
        "auth_rls_initplan",
        "no_primary_key",
        "unused_index",
        "multiple_permissive_policies",
        "policy_exists_rls_disabled",
        "rls_enabled_no_policy",
        "duplicate_index",
        "security_definer_view",
        "function_search_path_mutable",
        "rls_disabled_in_public",
        "extension_in_public",
        "rls_references_user_metadata",
        "materialized_view_in_api",
        "foreign_table_in_api",
        "unsupported_reg_types",
        "auth_otp_long_expiry",
        "auth_otp_short_length",
        "ssl_not_enforced",
        "network_restrictions_not_set",
        "password_requirements_min_length",
        "pitr_not_enabled",
        "auth_leaked_password_protection",
        "auth_insufficient_mfa_options",
        "auth_password_policy_missing",
        "leaked_service_key",
        "no_backup_admin",
        "vulnerable_postgres_version",
      ]),
      title: z.string(),
      level: z.enum(["ERROR", "WARN", "INFO"]),
      facing: z.literal("EXTERNAL"),
      categories: z.array(z.enum(["PERFORMANCE", "SECURITY"])),
      description: z.string(),
      detail: z.string(),
      remediation: z.string(),
      metadata: z
        .object({
          schema: z.string().optional(),
          name: z.string().optional(),
          entity: z.string().optional(),
          type: z.enum(["table", "view", "auth", "function", "extension", "compliance"]).optional(),
          fkey_name: z.string().optional(),
          fkey_columns: z.array(z.number()).optional(),
        })
        .optional(),
      cache_key: z.string(),
    }),
  ),
});

/** `GET /v1/projects/{ref}/advisors/performance` */
export const getPerformanceAdvisors = operation({
  method: "GET",
  path: "/v1/projects/{ref}/advisors/performance",
  params: z.object({ ref: projectRef }),
  success: answers(200, projectAdvisorsResponse),
  errors: [401, 403, 429],
  scope: "database:read",
  permissions: [["advisors_read"]],
  stability: ["deprecated", "experimental"],
});

/** `GET /v1/projects/{ref}/advisors/security` */
export const getSecurityAdvisors = operation({
  method: "GET",
  path: "/v1/projects/{ref}/advisors/security",
  params: z.object({ ref: projectRef }),
  query: z.object({ lint_type: z.literal("sql").optional() }),
  success: answers(200, projectAdvisorsResponse),
  errors: [401, 403, 429],
  scope: "database:read",
  permissions: [["advisors_read"]],
  stability: ["deprecated", "experimental"],
});

export const advisorsOperations = { getPerformanceAdvisors, getSecurityAdvisors };

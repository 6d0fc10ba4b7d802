import { z } from "zod";
import { identifier } from "../../identifier";
import { answers, operation } from "../../operation";

export const entitlementKey = z.enum([
  "instances.compute_update_available_sizes",
  "instances.read_replicas",
  "instances.disk_modifications",
  "instances.high_availability",
  "instances.orioledb",
  "replication.etl",
  "storage.max_file_size",
  "storage.max_file_size.configurable",
  "storage.image_transformations",
  "storage.vector_buckets",
  "storage.iceberg_catalog",
  "security.audit_logs_days",
  "security.questionnaire",
  "security.soc2_report",
  "security.iso27001_certificate",
  "security.private_link",
  "security.enforce_mfa",
  "log.retention_days",
  "custom_domain",
  "vanity_subdomain",
  "ipv4",
  "pitr.available_variants",
  "log_drains",
  "audit_log_drains",
  "branching_limit",
  "branching_persistent",
  "auth.mfa_phone",
  "auth.mfa_web_authn",
  "auth.mfa_enhanced_security",
  "auth.hooks",
  "auth.platform.sso",
  "auth.custom_jwt_template",
  "auth.saml_2",
  "auth.user_sessions",
  "auth.leaked_password_protection",
  "auth.advanced_auth_settings",
  "auth.performance_settings",
  "auth.password_hibp",
  "auth.custom_oauth.max_providers",
  "backup.retention_days",
  "backup.restore_to_new_project",
  "backup.schedule",
  "function.max_count",
  "function.size_limit_mb",
  "realtime.max_concurrent_users",
  "realtime.max_events_per_second",
  "realtime.max_joins_per_second",
  "realtime.max_channels_per_client",
  "realtime.max_bytes_per_second",
  "realtime.max_presence_events_per_second",
  "realtime.max_payload_size_in_kb",
  "project_scoped_roles",
  "security.member_roles",
  "project_pausing",
  "project_cloning",
  "project_restore_after_expiry",
  "assistant.advance_model",
  "integrations.github_connections",
  "dedicated_pooler",
  "observability.dashboard_advanced_metrics",
]);

export const entitlementType = z.enum(["boolean", "numeric", "set"]);

export const listEntitlementsResponse = z.object({
  entitlements: z.array(
    z.object({
      feature: z.object({ key: identifier(entitlementKey), type: entitlementType }),
      hasAccess: z.boolean(),
      type: entitlementType,
      config: z.union([
        z.object({ enabled: z.boolean(), value: z.number(), unlimited: z.boolean(), unit: z.string() }),
        z.object({ enabled: z.boolean(), set: z.array(z.string()) }),
        // Behind the others, each of which it would take too.
        z.object({ enabled: z.boolean() }),
      ]),
    }),
  ),
});

/** `GET /v1/organizations/{slug}/entitlements` */
export const getEntitlements = operation({
  method: "GET",
  path: "/v1/organizations/{slug}/entitlements",
  params: z.object({ slug: z.string().regex(/^[\w-]+$/) }),
  success: answers(200, listEntitlementsResponse),
  errors: [401, 403, 429],
  scope: "organizations:read",
  permissions: [["organization_admin_read"]],
});

export const entitlementsOperations = { getEntitlements };

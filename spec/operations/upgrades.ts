import { z } from "zod";
import { answers, json, operation } from "../operation";
import { projectRef, releaseChannel } from "../shared-fields";

export const upgradeTarget = z.enum(["13", "14", "15", "17", "17-oriole"]);

export const projectUpgradeEligibilityResponse = z.object({
  eligible: z.boolean(),
  current_app_version: z.string(),
  current_app_version_release_channel: releaseChannel,
  latest_app_version: z.string(),
  target_upgrade_versions: z.array(
    z.object({ postgres_version: upgradeTarget, release_channel: releaseChannel, app_version: z.string() }),
  ),
  duration_estimate_hours: z.number(),
  legacy_auth_custom_roles: z.array(z.string()),
  objects_to_be_dropped: z.array(z.string()).meta({ deprecated: true }),
  unsupported_extensions: z.array(z.string()).meta({ deprecated: true }),
  user_defined_objects_in_internal_schemas: z.array(z.string()).meta({ deprecated: true }),
  validation_errors: z.array(
    z.union([
      z.object({ type: z.literal("objects_depending_on_pg_cron"), dependents: z.array(z.string()) }),
      z.object({
        type: z.literal("indexes_referencing_ll_to_earth"),
        schema_name: z.string(),
        table_name: z.string(),
        index_name: z.string(),
      }),
      z.object({
        type: z.literal("function_using_obsolete_lang"),
        schema_name: z.string(),
        function_name: z.string(),
        lang_name: z.string(),
      }),
      z.object({ type: z.literal("unsupported_extension"), extension_name: z.string() }),
      z.object({
        type: z.literal("unsupported_fdw_handler"),
        fdw_name: z.string(),
        fdw_handler_name: z.string(),
      }),
      z.object({
        type: z.literal("unlogged_table_with_persistent_sequence"),
        schema_name: z.string(),
        table_name: z.string(),
        sequence_name: z.string(),
      }),
      z.object({
        type: z.literal("user_defined_objects_in_internal_schemas"),
        obj_type: z.enum(["table", "function"]),
        schema_name: z.string(),
        obj_name: z.string(),
      }),
      z.object({ type: z.literal("active_replication_slot"), slot_name: z.string() }),
    ]),
  ),
  /** Newer services show what an upgrade changes without being blocked by it (service, Newer fields). */
  warnings: z.array(z.looseObject({ type: z.string() })).optional(),
});

export const upgradeDatabaseBody = z.object({
  target_version: z.string(),
  release_channel: releaseChannel.optional(),
});

export const projectUpgradeInitiateResponse = z.object({ tracking_id: z.string() });

/** Steps of an upgrade, in order. */
export const upgradeProgress = z.enum([
  "0_requested",
  "1_started",
  "2_launched_upgraded_instance",
  "3_detached_volume_from_upgraded_instance",
  "4_attached_volume_to_original_instance",
  "5_initiated_data_upgrade",
  "6_completed_data_upgrade",
  "7_detached_volume_from_original_instance",
  "8_attached_volume_to_upgraded_instance",
  "9_completed_upgrade",
  "10_completed_post_physical_backup",
]);

/** What can end an upgrade: each code begins with the number of the last step that was reached. */
export const upgradeError = z.enum([
  "1_upgraded_instance_launch_failed",
  "2_volume_detachchment_from_upgraded_instance_failed",
  "3_volume_attachment_to_original_instance_failed",
  "4_data_upgrade_initiation_failed",
  "5_data_upgrade_completion_failed",
  "6_volume_detachchment_from_original_instance_failed",
  "7_volume_attachment_to_upgraded_instance_failed",
  "8_upgrade_completion_failed",
  "9_post_physical_backup_failed",
]);

export const databaseUpgradeStatusResponse = z.object({
  databaseUpgradeStatus: z
    .object({
      initiated_at: z.string(),
      latest_status_at: z.string(),
      target_version: z.number(),
      error: upgradeError.optional(),
      progress: upgradeProgress.optional(),
      status: z.number(),
    })
    .nullable(),
});

/** `GET /v1/projects/{ref}/upgrade/eligibility` */
export const getUpgradeEligibility = operation({
  method: "GET",
  path: "/v1/projects/{ref}/upgrade/eligibility",
  params: z.object({ ref: projectRef }),
  success: answers(200, projectUpgradeEligibilityResponse),
  errors: [401, 403, 429, 500],
  scope: "projects:read",
  permissions: [["project_admin_read", "database_read"]],
  stability: ["beta"],
});

/** `POST /v1/projects/{ref}/upgrade` */
export const startUpgrade = operation({
  method: "POST",
  path: "/v1/projects/{ref}/upgrade",
  params: z.object({ ref: projectRef }),
  body: json(upgradeDatabaseBody),
  success: answers(201, projectUpgradeInitiateResponse),
  errors: [401, 403, 429, 500],
  scope: "projects:write",
  permissions: [["project_admin_write", "database_write"]],
  stability: ["beta"],
});

/** `GET /v1/projects/{ref}/upgrade/status` */
export const getUpgradeStatus = operation({
  method: "GET",
  path: "/v1/projects/{ref}/upgrade/status",
  params: z.object({ ref: projectRef }),
  query: z.object({ tracking_id: z.string().optional() }),
  success: answers(200, databaseUpgradeStatusResponse),
  errors: [401, 403, 429, 500],
  scope: "projects:read",
  permissions: [["project_admin_read", "database_read"]],
  stability: ["beta"],
});

export const upgradesOperations = { getUpgradeEligibility, startUpgrade, getUpgradeStatus };

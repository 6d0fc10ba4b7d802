import { z } from "zod";
import { defineProblem } from "../../client/errors/problem";
import { defineFunction } from "../../define/function";
import { isObject } from "../../../spec/is-object";
import { explainMissing } from "../../lookup/missing-errors";
import { projectRef } from "../../define/shared-arguments";
import { pickPresentFields, shareInFlight } from "../answers";

const inputs = z.strictObject({ projectRef });

const target = z
  .object({
    postgresVersion: z.string().describe("Version of Postgres, such as `17`.").optional(),
    releaseChannel: z.string().describe("Release channel of the image, such as `ga`.").optional(),
    appVersion: z.string().describe("Name of the image.").optional(),
  })
  .describe("A version to which a project can be upgraded.");

const details = {
  dependents: z.array(z.string()).describe("Objects that depend on the blocking object.").optional(),
  schemaName: z.string().describe("Schema of the object.").optional(),
  tableName: z.string().describe("Affected table.").optional(),
  indexName: z.string().describe("Affected index.").optional(),
  functionName: z.string().describe("Affected function.").optional(),
  langName: z.string().describe("Language missing from the new version.").optional(),
  extensionName: z.string().describe("Extension missing from the new version.").optional(),
  fdwName: z.string().describe("Affected foreign-data wrapper.").optional(),
  fdwHandlerName: z.string().describe("Handler missing from the new version.").optional(),
  sequenceName: z.string().describe("Affected sequence.").optional(),
  objType: z.string().describe("`table` or `function`.").optional(),
  objName: z.string().describe("Affected object.").optional(),
  slotName: z.string().describe("Active replication slot.").optional(),
};

const validationError = z
  .object({
    type: z.string().describe("Type of the problem, such as `objects_depending_on_pg_cron`.").optional(),
    ...details,
  })
  .describe("A problem that blocks an upgrade, with the details of its type.");

const warning = z
  .object({
    type: z.string().describe("Type of the warning, such as `pg_graphql_introspection_change`.").optional(),
    ...details,
  })
  .describe("What an upgrade changes without being blocked by it, with the details of its type.");

const names = (what: string) => z.array(z.string()).describe(what).optional();

const outputs = z.object({
  eligible: z.boolean().describe("Whether the project can be upgraded in its current state.").optional(),
  currentAppVersion: z.string().describe("Name of the image that the project runs.").optional(),
  currentAppVersionReleaseChannel: z.string().describe("Release channel of that image.").optional(),
  latestAppVersion: z.string().describe("Name of the newest image.").optional(),
  targetUpgradeVersions: z
    .array(target)
    .describe("Versions to which the project can be upgraded.")
    .optional(),
  durationEstimateHours: z.number().describe("Estimated duration of an upgrade in hours.").optional(),
  legacyAuthCustomRoles: names("Custom roles with legacy authentication, which block the upgrade."),
  objectsToBeDropped: names("Objects that the upgrade would drop."),
  unsupportedExtensions: names("Extensions missing from the new version."),
  userDefinedObjectsInInternalSchemas: names(
    "User-defined objects in internal schemas, which block the upgrade.",
  ),
  validationErrors: z
    .array(validationError)
    .describe("Other problems that block the upgrade, each with the details of its type.")
    .optional(),
  warnings: z
    .array(warning)
    .describe("What the upgrade changes without being blocked by it. Absent on older services.")
    .optional(),
});

const problems = {
  noProject: defineProblem({
    says: "No project has the reference {ref}: {remedy}.",
    means: "The service answered 404: the project does not exist, or it is a branch.",
    remedy: "Check `projectRef`, and that it has not been deleted",
  }),
};

/** Whether a project can be upgraded, and to what. */
export const getUpgradeEligibility = defineFunction({
  name: "getUpgradeEligibility",
  description:
    "Reads whether the Postgres of a project can be upgraded, to which versions, and what blocks the upgrade.",
  inputs,
  outputs,
  problems,
  async run(ctx, { projectRef: ref }) {
    const found = await explainMissing(
      shareInFlight(ctx, `upgrade-eligibility:${ref}`, () => ctx.api.getUpgradeEligibility({ ref })),
      problems.noProject.message({ ref }),
    );
    return pickPresentFields({
      eligible: found.eligible,
      currentAppVersion: found.current_app_version,
      currentAppVersionReleaseChannel: found.current_app_version_release_channel,
      latestAppVersion: found.latest_app_version,
      targetUpgradeVersions: found.target_upgrade_versions?.map(
        ({ postgres_version, release_channel, app_version }) =>
          pickPresentFields({
            postgresVersion: postgres_version,
            releaseChannel: release_channel,
            appVersion: app_version,
          }),
      ),
      durationEstimateHours: found.duration_estimate_hours,
      legacyAuthCustomRoles: found.legacy_auth_custom_roles,
      objectsToBeDropped: found.objects_to_be_dropped,
      unsupportedExtensions: found.unsupported_extensions,
      userDefinedObjectsInInternalSchemas: found.user_defined_objects_in_internal_schemas,
      validationErrors: found.validation_errors?.filter(isObject).map(toFault),
      warnings: found.warnings?.filter(isObject).map(toFault),
    });
  },
});

/** The kinds are open, and so are their details: those that have a field here are returned under its name. */
function toFault(fault: object): z.output<typeof validationError> {
  const given: Readonly<Record<string, unknown>> = { ...fault };
  const read = Object.entries(validationError.shape).map(([name, field]) => {
    const wireName = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [name, field.safeParse(given[wireName]).data];
  });
  // Each value has passed the schema of its own field.
  return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as z.output<
    typeof validationError
  >;
}

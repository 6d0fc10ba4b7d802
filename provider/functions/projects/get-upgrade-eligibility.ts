import { z } from "zod";
import { defineProblem } from "../../client/problem";
import { defineFunction } from "../../define/function";
import { isObject } from "../../define/unknown";
import { askTogether, orMissing } from "../asking";
import { projectRef } from "../shared-arguments";
import { told } from "../told";

const inputs = z.strictObject({ projectRef });

const target = z
  .object({
    postgresVersion: z.string().describe("Version of Postgres, as `17`.").optional(),
    releaseChannel: z.string().describe("Release channel of the image, as `ga`.").optional(),
    appVersion: z.string().describe("Name of the image.").optional(),
  })
  .describe("A version to which a project can be upgraded.");

const details = {
  dependents: z.array(z.string()).describe("Objects that depend on what stands in the way.").optional(),
  schemaName: z.string().describe("Schema of the object.").optional(),
  tableName: z.string().describe("Table concerned.").optional(),
  indexName: z.string().describe("Index concerned.").optional(),
  functionName: z.string().describe("Function concerned.").optional(),
  langName: z.string().describe("Language that the new version lacks.").optional(),
  extensionName: z.string().describe("Extension that the new version lacks.").optional(),
  fdwName: z.string().describe("Foreign-data wrapper concerned.").optional(),
  fdwHandlerName: z.string().describe("Handler that the new version lacks.").optional(),
  sequenceName: z.string().describe("Sequence concerned.").optional(),
  objType: z.string().describe("`table` or `function`.").optional(),
  objName: z.string().describe("Object concerned.").optional(),
  slotName: z.string().describe("Replication slot that is active.").optional(),
};

const validationError = z
  .object({
    type: z.string().describe("Kind of the fault, as `objects_depending_on_pg_cron`.").optional(),
    ...details,
  })
  .describe("What stands in the way of an upgrade, with the details of its kind.");

const names = (what: string) => z.array(z.string()).describe(what).optional();

const outputs = z.object({
  eligible: z.boolean().describe("Whether the project can be upgraded as it is.").optional(),
  currentAppVersion: z.string().describe("Name of the image that the project runs.").optional(),
  currentAppVersionReleaseChannel: z.string().describe("Release channel of that image.").optional(),
  latestAppVersion: z.string().describe("Name of the newest image.").optional(),
  targetUpgradeVersions: z
    .array(target)
    .describe("Versions to which the project can be upgraded.")
    .optional(),
  durationEstimateHours: z.number().describe("Hours that an upgrade is estimated to take.").optional(),
  legacyAuthCustomRoles: names("Custom roles with legacy authentication, which stand in the way."),
  objectsToBeDropped: names("Objects that the upgrade would drop."),
  unsupportedExtensions: names("Extensions that the new version lacks."),
  userDefinedObjectsInInternalSchemas: names("Own objects in internal schemas, which stand in the way."),
  validationErrors: z
    .array(validationError)
    .describe("Further faults that stand in the way, each with the details of its kind.")
    .optional(),
});

const problems = {
  noProject: defineProblem({
    says: "There is no project with the reference {ref}: {remedy}.",
    means: "404: there is no such project, or it is a branch.",
    remedy: "Check `projectRef`, and that it has not been deleted",
  }),
};

/** Whether a project can be upgraded, and to what. */
export const getUpgradeEligibility = defineFunction({
  name: "getUpgradeEligibility",
  description:
    "Reads whether the Postgres of a project can be upgraded, to which versions, and what stands in the way.",
  inputs,
  outputs,
  problems,
  async run(ctx, { projectRef: ref }) {
    const found = await orMissing(
      askTogether(ctx, `upgrade-eligibility:${ref}`, () => ctx.api.getUpgradeEligibility({ ref })),
      problems.noProject.message({ ref }),
    );
    return told({
      eligible: found.eligible,
      currentAppVersion: found.current_app_version,
      currentAppVersionReleaseChannel: found.current_app_version_release_channel,
      latestAppVersion: found.latest_app_version,
      targetUpgradeVersions: found.target_upgrade_versions?.map(
        ({ postgres_version, release_channel, app_version }) =>
          told({
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
    });
  },
});

/** The kinds are open, and so are their details: those that have a field here are told, in its spelling. */
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

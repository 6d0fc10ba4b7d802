import { z } from "zod";
import { healthService, instanceSize, regionCode } from "../../../../spec/shared-fields";
import {
  asSet,
  autonamed,
  comparedBy,
  createOnly,
  formed,
  local,
  replaces,
  secret,
  stable,
  writeOnly,
} from "../../../define/markers";
import type { CheckFailure } from "../../../define/resource";
import { everyResource } from "../../../define/shared-inputs";
import { normalizeSize } from "./compute-size";
import { connectionInputs, connectionOutputs } from "./connection";
import { checkSelection, regionSelection } from "./region-selection";

export const projectInputs = z.strictObject({
  name: autonamed(z.string().min(1).max(256).describe("Display name, 1 to 256 characters."), {
    separator: "-",
    maxLength: 256,
  }),
  organizationSlug: replaces(
    formed(z.string().regex(/^[\w-]+$/), "a slug of letters, digits, `_` and `-`", "acme").describe(
      "Slug of the organization that owns the project; another one replaces the project.",
    ),
  ),
  dbPass: secret(
    writeOnly(
      z
        .string()
        .min(4)
        .describe(
          "Password of the database, at least 4 characters; rotated in place. The service never returns it, so a change made elsewhere is not seen.",
        ),
    ),
  ),
  region: replaces(
    regionCode.describe("Region to run in; another one replaces the project. Excludes `regionSelection`."),
  ).optional(),
  regionSelection: replaces(
    regionSelection.describe(
      "Region or group of regions to run in; another one replaces the project. Which region was chosen in a group is told by the output `region`. Excludes `region`.",
    ),
  ).optional(),
  desiredInstanceSize: comparedBy(
    instanceSize.describe(
      "Compute size; changed in place through the compute add-on, with a restart. `nano` and `pico` both mean a project without that add-on.",
    ),
    normalizeSize,
  ).optional(),
  templateUrl: createOnly(
    z
      .url()
      .describe(
        "Template that the new project is filled from. Used while creating only: a later change does nothing.",
      ),
  ).optional(),
  paused: z.boolean().describe("Whether it is paused (free plan only); changed in place.").optional(),
  postgresVersion: z
    .int()
    .min(13)
    .describe("Major version of Postgres, as 17. A higher one upgrades in place; a lower one is refused.")
    .optional(),
  waitForServices: local(
    asSet(
      z
        .array(healthService)
        .describe(
          "Services that must be healthy before the project counts as made or updated; `auth`, `db`, `pooler`, `realtime`, `rest` and `storage` when not given, none for an empty list. A REST layer with an empty schema is not waited for.",
        ),
    ),
  ).optional(),
  allowDuplicateName: createOnly(
    z
      .boolean()
      .describe("Makes the project even if the organization has one of this name. Used while creating only."),
  ).optional(),
  ...connectionInputs,
  ...everyResource,
});

export const projectOutputs = z.object({
  ref: stable(
    z.string().describe("Reference of the project, twenty lower-case letters; also its Pulumi id."),
  ),
  organizationId: stable(z.string().describe("Identifier of the organization.")).optional(),
  region: stable(
    z.string().describe("Region in which the project runs, declared or chosen by the service."),
  ).optional(),
  regionSelection: stable(
    z
      .object({
        type: z.string().describe("`specific`, or `smartGroup` where that is declared."),
        code: z.string().describe("Code of the region, or of the declared group."),
      })
      .meta({
        id: "ProjectRegionSelectionResult",
        description: "A region, or a group of regions in which the service chooses.",
      })
      .describe("The region in the form of the input of the same name."),
  ).optional(),
  status: z
    .string()
    .describe("`ACTIVE_HEALTHY`, `INACTIVE` (paused) or another state of a project.")
    .optional(),
  createdAt: stable(z.string().describe("Time of creation, ISO 8601.")).optional(),
  database: z
    .object({
      host: z.string().describe("Host name of the database.").optional(),
      version: z.string().describe("Full version of Postgres, as `17.4.1.054`.").optional(),
      postgresEngine: z.string().describe("Engine, as `17`.").optional(),
      releaseChannel: z.string().describe("Release channel of the Postgres image, as `ga`.").optional(),
    })
    .meta({ id: "ProjectDatabase", description: "The database of a project." })
    .describe("The project's database; not told while the project is being made.")
    .optional(),
  ...connectionOutputs,
});

export type ProjectInputs = z.output<typeof projectInputs>;
export type ProjectOutputs = z.output<typeof projectOutputs>;

/** The rules over several fields. */
export function checkProject(inputs: Partial<ProjectInputs>): CheckFailure[] {
  const { region, regionSelection: selection } = inputs;
  const failures: CheckFailure[] = [];
  if (region !== undefined && selection !== undefined) {
    failures.push({ path: "regionSelection", reason: "`region` is given as well; give one of the two" });
  }
  return selection === undefined ? failures : [...failures, ...checkSelection(selection)];
}

import { z } from "zod";
import { ORGANIZATION_SLUG } from "../../../../spec/organization-slug";
import { smartRegionCode } from "../../../../spec/operations/projects";
import { healthService, instanceSize, regionCode, releaseChannel } from "../../../../spec/shared-fields";
import { fingerprint } from "../../../define/consent";
import {
  asSet,
  autonamed,
  comparedBy,
  composed,
  createOnly,
  formed,
  local,
  moves,
  parent,
  replaces,
  secret,
  stable,
  stableUnless,
  stays,
  writeOnly,
} from "../../../define/markers";
import { openEnum, openRange } from "../../../define/open-values";
import type { CheckFailure } from "../../../define/resource";
import { everyResource } from "../../../define/shared-inputs";
import { normalizeSize } from "./compute-size";
import { apiOutputs, askedOutputs, connectionInputs, DIRECT_CONNECTION } from "./connection";

const regionSelection = z
  .strictObject({
    type: z
      .enum(["specific", "smartGroup"])
      .meta({
        id: "ProjectRegionSelectionType",
        description: "Whether to select a region or a group of regions.",
      })
      .describe("`specific` for one region, `smartGroup` for a group from which the service chooses."),
    code: openEnum(
      z
        .enum([...regionCode.options, ...smartRegionCode.options])
        .meta({ id: "ProjectRegionSelectionCode", description: "A region, or a group of regions." }),
    ).describe("Code of a region, such as `eu-central-1`, or of a group: `americas`, `emea`, `apac`."),
  })
  .meta({
    id: "ProjectRegionSelection",
    description: "A region, or a group of regions from which the service chooses.",
  });

export const projectInputs = z.strictObject({
  name: autonamed(z.string().min(1).max(256).describe("Display name, 1 to 256 characters."), {
    separator: "-",
    maxLength: 256,
  }),
  organizationSlug: parent(
    moves(
      formed(z.string().regex(ORGANIZATION_SLUG), "a slug of letters, digits, `_` and `-`", "acme").describe(
        "Slug of the organization that owns the project. Where the project belongs to another one, because of an edit or because it was moved outside Pulumi, an update asks for the service's preview of the transfer, and moves the project only if `confirm` has the fingerprint of that preview. Some installations do not have this operation.",
      ),
    ),
  ),
  confirm: fingerprint(
    "a transfer",
    "Consent to the transfer to another organization that the error shows: its fingerprint. If the service's preview of the transfer changes, the update asks again. It counts for one transfer.",
  ),
  dbPass: secret(
    writeOnly(
      z
        .string()
        .min(4)
        .describe(
          "Password of the database, at least 4 characters. Required to create a project. A change rotates the password in place. The service never returns it, so drift cannot be detected. For an adopted or imported project, declare the current password first: the first value is recorded, not sent.",
        ),
    ),
  ).optional(),
  region: replaces(
    openEnum(regionCode).describe(
      "Region of the project. Conflicts with `regionSelection`. A change replaces the project, which requires `deletionProtection: false` in the state.",
    ),
  ).optional(),
  regionSelection: replaces(
    regionSelection.describe(
      "Region or group of regions of the project. The service chooses a region from a group, which the output `region` contains. Conflicts with `region`. A change replaces the project, which requires `deletionProtection: false` in the state.",
    ),
  ).optional(),
  instanceSize: stays(
    comparedBy(
      openEnum(instanceSize).describe(
        "Compute size. A change selects another compute add-on and restarts the project. `nano` and `pico` both mean a project without the add-on.",
      ),
      normalizeSize,
    ),
    "For another size, declare it.",
  ).optional(),
  templateUrl: createOnly(
    z.url().describe("URL of a template for the new project. Used only on creation."),
  ).optional(),
  paused: stays(
    z.boolean().describe("Whether the project is paused. Only on the free plan."),
    "To resume a paused project, declare `false`.",
  ).optional(),
  postgresVersion: stays(
    openRange({ least: 13 }).describe(
      "Major version of Postgres, such as 17. A higher version upgrades in place. A lower one is an error.",
    ),
    "Postgres cannot be downgraded.",
  ).optional(),
  upgradeReleaseChannel: local(
    openEnum(releaseChannel).describe(
      "Release channel of the Postgres image for an upgrade to `postgresVersion`. It has no effect outside upgrades. Default: the first channel that the service offers.",
    ),
  ).optional(),
  waitForServices: local(
    asSet(
      z
        .array(healthService)
        .describe(
          "Services that must be healthy before a create or update completes. An empty list means none. A REST layer with an empty schema is skipped. Default: `auth`, `db`, `pooler`, `realtime`, `rest` and `storage`.",
        ),
    ),
  ).optional(),
  deletionProtection: local(
    z
      .boolean()
      .describe(
        "`true` refuses to delete or replace the project, `false` allows both. If omitted, an adopted or imported project is neither deleted nor replaced, and any other is deleted but not replaced. To delete a protected project, declare `false`, run `pulumi up`, then destroy. Pulumi deletes the dependents of a project first; only the resource option `protect` prevents that.",
      ),
  ).optional(),
  allowDuplicateName: createOnly(
    z
      .boolean()
      .describe(
        "Whether to create the project even if the organization already has one with this name. Used only on creation. Default: `false`.",
      ),
  ).optional(),
  ...connectionInputs,
  ...everyResource,
});

export const projectOutputs = z.object({
  ref: stable(
    z.string().describe("Reference of the project, 20 lowercase letters. Equals the resource's `id`."),
  ),
  organizationId: stableUnless(z.string().describe("Identifier of the organization."), "organizationSlug"),
  region: stable(z.string().describe("Region of the project, as declared or as chosen by the service.")),
  regionSelection: stable(
    z
      .object({
        type: z.string().describe("`smartGroup` if the program declares that, otherwise `specific`."),
        code: z.string().describe("Code of the region or of the declared group."),
      })
      .meta({
        id: "ProjectRegionSelectionResult",
        description: "A region, or a group of regions from which the service chooses.",
      })
      .describe("Region, in the form of the input with the same name."),
  ),
  status: z.string().describe("`ACTIVE_HEALTHY`, `INACTIVE` (paused) or another state of a project."),
  createdAt: stable(z.string().describe("Creation time, ISO 8601.")),
  database: z
    .object({
      host: z.string().describe("Host name of the database."),
      version: z.string().describe("Full version of Postgres, such as `17.4.1.054`."),
      postgresEngine: z.string().describe("Postgres engine, such as `17`."),
      releaseChannel: z.string().describe("Release channel of the Postgres image, such as `ga`."),
    })
    .meta({ id: "ProjectDatabase", description: "The database of a project." })
    .describe("The project's database."),
  ...apiOutputs,
  connectionString: secret(
    composed(z.string().describe(`${DIRECT_CONNECTION}; absent while \`dbPass\` is not declared.`)),
  ).optional(),
  ...askedOutputs,
});

export type ProjectInputs = z.output<typeof projectInputs>;
export type ProjectOutputs = z.output<typeof projectOutputs>;

/** The rules over several fields. `isThere` where the project exists already. */
export function checkProject(
  inputs: Partial<ProjectInputs>,
  isUnknown: (name: keyof ProjectInputs) => boolean,
  isThere: boolean,
): CheckFailure[] {
  const { region, regionSelection: selection, adopt, adoptId } = inputs;
  const failures: CheckFailure[] = [];
  // Only the create finds out whether there is one to adopt.
  const mayBeThere = isThere || adopt === true || adoptId !== undefined || isUnknown("adopt");
  if (!mayBeThere && inputs.dbPass === undefined && !isUnknown("dbPass") && !isUnknown("adoptId")) {
    failures.push({ path: "dbPass", reason: "required, but missing: a new project needs a password" });
  }
  if (region !== undefined && selection !== undefined) {
    failures.push({ path: "regionSelection", reason: "conflicts with `region`" });
  }
  return selection === undefined ? failures : [...failures, ...checkSelection(selection)];
}

/** That the code is none of the other type; one that is in no list may be of either. */
function checkSelection({ type, code }: z.output<typeof regionSelection>): CheckFailure[] {
  const [allowed, others]: (readonly string[])[] =
    type === "specific"
      ? [regionCode.options, smartRegionCode.options]
      : [smartRegionCode.options, regionCode.options];
  if (others?.includes(code) !== true || allowed === undefined) return [];
  const reason = `got "${code}"; with the type "${type}" allowed: ${allowed.join(", ")}`;
  return [{ path: "regionSelection.code", reason }];
}

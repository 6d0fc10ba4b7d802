import { z } from "zod";
import { instanceSize, postgresEngine, regionCode, releaseChannel } from "../../../../spec/shared-fields";
import {
  autonamed,
  composed,
  formed,
  local,
  neverReplaced,
  replaces,
  secret,
  stable,
  stays,
  writeOnly,
} from "../../../define/markers";
import { openEnum } from "../../../define/open-values";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import {
  apiOutputs,
  askedOutputs,
  connectionInputs,
  DIRECT_CONNECTION,
} from "../../projects/project/connection";

export const branchInputs = z.strictObject({
  projectRef: projectRef.describe(
    "Reference of the parent project, 20 lowercase letters. It must not be a branch.",
  ),
  name: autonamed(z.string().min(1).describe("Name of the branch."), {
    separator: "-",
    maxLength: 100,
  }),
  gitBranch: stays(
    z
      .string()
      .describe(
        'Branch of the linked Git repository to deploy from. `""` detaches the branch from Git. If you remove the input, the value stays.',
      ),
    'To deploy from another branch, declare it. To detach the branch from Git, declare `""` before you remove the input.',
  ).optional(),
  pullRequest: local(
    z
      .int()
      .min(1)
      .describe(
        "Number of the pull request that the branch previews. An existing branch of this name is then taken over only if it was created for the same pull request: it has the same `gitBranch`, no other number, and is neither default nor persistent.",
      ),
  ).optional(),
  persistent: stays(
    z
      .boolean()
      .describe(
        "Whether the branch outlives its Git branch. A delete makes a persistent branch non-persistent first. If you remove the input, the value stays.",
      ),
    "To change it, declare `true` or `false`.",
  ).optional(),
  region: replaces(
    writeOnly(
      openEnum(regionCode).describe(
        "Code of the region, such as `eu-central-1`. Default: the region of the project. A change replaces the branch. For a persistent branch, this requires `deletionProtection: false` in the state.",
      ),
    ),
  ).optional(),
  instanceSize: replaces(
    writeOnly(
      openEnum(instanceSize).describe(
        "Compute size. A change replaces the branch. For a persistent branch, this requires `deletionProtection: false` in the state.",
      ),
    ),
  ).optional(),
  diskSizeGb: neverReplaced(
    writeOnly(
      z
        .int()
        .min(8)
        .max(61_440)
        .describe(
          "Size of the branch's disk in GB, 8 to 61440, with which the branch is created. Cannot be combined with `secrets`, `postgresEngine` and `releaseChannel`. A change is refused: to change the disk of a branch that exists, declare a `Disk` in it. Some installations cannot create a branch with a disk size.",
        ),
    ),
    "To change the disk of a branch, declare a `Disk` whose `projectRef` is the branch's `ref`.",
  ).optional(),
  postgresEngine: replaces(
    openEnum(postgresEngine).describe(
      "Postgres engine, such as `17`. A change replaces the branch. For a persistent branch, this requires `deletionProtection: false` in the state.",
    ),
  ).optional(),
  releaseChannel: replaces(
    openEnum(releaseChannel).describe(
      "Release channel of the Postgres image. A change replaces the branch. For a persistent branch, this requires `deletionProtection: false` in the state.",
    ),
  ).optional(),
  secrets: stays(
    secret(
      z
        .record(
          formed(
            z
              .string()
              .max(256)
              .regex(/^(?!SVC_).*/),
            "a name of at most 256 characters that does not begin with `SVC_`",
            "PAYMENT_TOKEN",
          ),
          z.string().max(24_576),
        )
        .describe(
          "Secrets of the branch's edge functions by name. Names must not start with `SVC_`. Secrets that are not listed here are left alone. If you remove the input, all stay.",
        ),
    ),
    "To remove the secrets, declare `{}` before you remove the input.",
  ).optional(),
  withData: replaces(
    z
      .boolean()
      .describe(
        "Whether to copy the project's data, for which the service needs point-in-time recovery of the project. A change replaces the branch. For a persistent branch, this requires `deletionProtection: false` in the state.",
      ),
  ).optional(),
  requestReview: stays(
    z
      .boolean()
      .describe(
        "Whether to request a review of the branch. A create or update requests one unless the service already shows one. `false` does not withdraw a request.",
      ),
    "A requested review cannot be withdrawn.",
  ).optional(),
  notifyUrl: stays(
    z.url().describe("URL that the service calls when the state of the branch changes."),
    "The service cannot unset it. For another URL, declare it.",
  ).optional(),
  softDelete: local(
    z
      .boolean()
      .describe(
        "Whether a delete only schedules the deletion for one hour later, if the service supports it. Until then, the name is in use, and `adopt` restores the branch. Default: `false`.",
      ),
  ).optional(),
  deletionProtection: local(
    z
      .boolean()
      .describe(
        "`true` refuses to delete or replace the branch, `false` allows both. If omitted, a persistent branch is deleted but not replaced, and any other is deleted and replaced. A delete of the project deletes its branches all the same. Pulumi deletes the dependents of a branch first; only the resource option `protect` prevents that.",
      ),
  ).optional(),
  ...connectionInputs,
  ...everyResource,
});

export const branchOutputs = z.object({
  ref: stable(
    z
      .string()
      .describe(
        "Reference of the branch, also its Pulumi ID. Pass it as the `projectRef` of resources in the branch.",
      ),
  ),
  branchId: stable(z.string().describe("Identifier of the branch, a UUID.")),
  parentProjectRef: stable(z.string().describe("Reference of the project that the branch was created from.")),
  isDefault: stable(
    z
      .boolean()
      .describe(
        "Whether the branch represents the project itself. The service creates this branch along with the first one and refuses to delete it.",
      ),
  ),
  persistent: z.boolean().describe("Whether the branch outlives its Git branch, declared or not."),
  status: z
    .string()
    .describe("Deployment state of the branch, such as `FUNCTIONS_DEPLOYED` or `MIGRATIONS_FAILED`."),
  previewProjectStatus: z
    .string()
    .describe("State of the branch's own project, such as `ACTIVE_HEALTHY`, or `INACTIVE` if it is paused."),
  prNumber: z.int().describe("Number of the pull request.").optional(),
  createdAt: stable(z.string().describe("Creation time, ISO 8601.")),
  updatedAt: z.string().describe("Time of the last change, ISO 8601."),
  reviewRequestedAt: z.string().describe("Time at which a review was requested, ISO 8601.").optional(),
  latestCheckRunId: z
    .number()
    .describe("Number of the latest check run of the linked Git repository.")
    .optional(),
  deletionScheduledAt: z.string().describe("Scheduled time of deletion, ISO 8601.").optional(),
  host: z.string().describe("Host name of the branch's own database."),
  port: z.int().describe("Port of the branch's own database."),
  user: z.string().describe("User of the branch's own database."),
  password: secret(z.string().describe("Password of the branch's own database.")),
  jwtSecret: secret(z.string().describe("Secret that signs the branch's JWTs.")),
  ...apiOutputs,
  connectionString: secret(
    composed(
      z
        .string()
        .describe(
          `${DIRECT_CONNECTION}. The database of a branch has an IPv6 address only. For a network without IPv6, set \`withPooler\` and use \`sessionConnectionString\`.`,
        ),
    ),
  ),
  ...askedOutputs,
});

export type BranchInputs = z.output<typeof branchInputs>;
export type BranchOutputs = z.output<typeof branchOutputs>;

import { z } from "zod";
import { instanceSize, postgresEngine, releaseChannel } from "../../../../spec/shared-fields";
import {
  autonamed,
  composed,
  formed,
  local,
  replaces,
  secret,
  stable,
  stays,
  writeOnly,
} from "../../../define/markers";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import {
  apiOutputs,
  askedOutputs,
  connectionInputs,
  DIRECT_CONNECTION,
} from "../../projects/project/connection";

export const branchInputs = z.strictObject({
  projectRef: projectRef.describe(
    "Reference of the project to branch from, which must not be a branch: twenty lower-case letters.",
  ),
  name: autonamed(z.string().min(1).describe("Name of the branch; changed in place."), {
    separator: "-",
    maxLength: 100,
  }),
  gitBranch: stays(
    z.string().describe("Branch of the linked Git repository to deploy from; changed in place."),
    "To deploy from another one, declare that.",
  ).optional(),
  pullRequest: local(
    z
      .int()
      .min(1)
      .describe(
        "Number of the pull request that the branch previews. With it, a branch of this name that exists is taken over only if it was made for that pull request: from the same `gitBranch`, for no other number that the service knows, and neither default nor persistent.",
      ),
  ).optional(),
  persistent: stays(
    z
      .boolean()
      .describe(
        "Whether the branch outlives its Git branch. Deletion makes a persistent branch non-persistent first. If the input is taken out, the branch stays as it is.",
      ),
    "To let it outlive its Git branch, declare `true`; to let it end with that, `false`.",
  ).optional(),
  region: replaces(
    writeOnly(
      z
        .string()
        .min(1)
        .describe("Code of the region; by default the region of the project. A change replaces the branch."),
    ),
  ).optional(),
  instanceSize: replaces(
    writeOnly(instanceSize.describe("Compute size; a change replaces the branch.")),
  ).optional(),
  postgresEngine: replaces(
    postgresEngine.describe("Postgres engine, such as `17`; a change replaces the branch."),
  ).optional(),
  releaseChannel: replaces(
    releaseChannel.describe("Release channel of the Postgres image; a change replaces the branch."),
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
          "Secrets of the branch's edge functions by name; changed in place. Names must not start with `SVC_`. Secrets not listed here stay as they are, and so do all if the input is taken out.",
        ),
    ),
    "To remove the secrets, declare `{}` before you take the input out.",
  ).optional(),
  withData: replaces(
    z.boolean().describe("Whether to copy the project's data; a change replaces the branch."),
  ).optional(),
  requestReview: stays(
    z
      .boolean()
      .describe(
        "Whether to request a review of the branch: a create or update does so as long as the service shows that none was requested. `false` requests none, and takes none back.",
      ),
    "A review that was requested cannot be taken back.",
  ).optional(),
  notifyUrl: stays(
    z.url().describe("URL that the service calls when the state of the branch changes; changed in place."),
    "The service cannot forget it: to have another one called, declare that.",
  ).optional(),
  softDelete: local(
    z
      .boolean()
      .describe(
        "Schedules the deletion for an hour later instead of deleting immediately, if the service has that enabled. Until then the name is in use, and `adopt` restores the branch.",
      ),
  ).optional(),
  ...connectionInputs,
  ...everyResource,
});

export const branchOutputs = z.object({
  ref: stable(
    z
      .string()
      .describe("Reference of the branch, to pass as the projectRef of its resources; also its Pulumi ID."),
  ),
  branchId: stable(z.string().describe("Identifier of the branch, a UUID.")),
  parentProjectRef: stable(z.string().describe("Reference of the project that the branch was created from.")),
  isDefault: stable(
    z
      .boolean()
      .describe(
        "Whether the branch represents the project itself. It cannot be set: the service makes that branch by itself, beside the first one, and refuses to delete it.",
      ),
  ),
  status: z
    .string()
    .describe("Deployment state of the branch, such as `FUNCTIONS_DEPLOYED` or `MIGRATIONS_FAILED`."),
  previewProjectStatus: z
    .string()
    .describe(
      "State of the branch's own project, such as `ACTIVE_HEALTHY`; `INACTIVE` when the service has paused it.",
    ),
  prNumber: z.int().describe("Number of the pull request.").optional(),
  createdAt: stable(z.string().describe("Time of creation, ISO 8601.")),
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
  connectionString: secret(composed(z.string().describe(`${DIRECT_CONNECTION}.`))),
  ...askedOutputs,
});

export type BranchInputs = z.output<typeof branchInputs>;
export type BranchOutputs = z.output<typeof branchOutputs>;

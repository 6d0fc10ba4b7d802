import { z } from "zod";
import { instanceSize, postgresEngine, releaseChannel } from "../../../../spec/shared-fields";
import { autonamed, formed, local, replaces, secret, stable, writeOnly } from "../../../define/markers";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { connectionInputs, connectionOutputs } from "../../projects/project/connection";

export const branchInputs = z.strictObject({
  projectRef: projectRef.describe(
    "Reference of the project to branch off, which is no branch itself: twenty lower-case letters.",
  ),
  branchName: autonamed(z.string().min(1).describe("Name of the branch; changed in place."), {
    separator: "-",
    maxLength: 100,
  }),
  gitBranch: z
    .string()
    .describe("Branch of the linked Git repository that fills it; changed in place.")
    .optional(),
  persistent: z
    .boolean()
    .describe("Whether it stays when its Git branch is gone. Deleting a persistent branch demotes it first.")
    .optional(),
  region: replaces(
    writeOnly(
      z
        .string()
        .min(1)
        .describe("Code of the region; the project's own when not given. A change replaces the branch."),
    ),
  ).optional(),
  desiredInstanceSize: replaces(
    writeOnly(instanceSize.describe("Compute size; a change replaces the branch.")),
  ).optional(),
  postgresEngine: replaces(
    postgresEngine.describe("Postgres engine, as `17`; a change replaces the branch."),
  ).optional(),
  releaseChannel: replaces(
    releaseChannel.describe("Release channel of the Postgres image; a change replaces the branch."),
  ).optional(),
  secrets: secret(
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
        "Function secrets of the branch by name, names not beginning with `SVC_`; changed in place. What is not named here stays as it is.",
      ),
  ).optional(),
  withData: replaces(
    z.boolean().describe("Whether the project's data is copied; a change replaces the branch."),
  ).optional(),
  notifyUrl: z
    .url()
    .describe("URL that the service calls when the branch changes its state; changed in place.")
    .optional(),
  softDelete: local(
    z
      .boolean()
      .describe(
        "Schedules the deletion an hour ahead instead of deleting at once, where the service has that enabled. Until then the name is taken, and `adopt` brings the branch back.",
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
        "Reference of the branch, to be used as `projectRef` of what belongs to it; also its Pulumi id.",
      ),
  ),
  branchId: stable(z.string().describe("The service's own identifier of the branch, a UUID.")).optional(),
  parentProjectRef: stable(z.string().describe("Reference of the project it was made from.")).optional(),
  isDefault: stable(z.boolean().describe("Whether it stands for the project itself.")).optional(),
  status: z
    .string()
    .describe("State of its making, as `FUNCTIONS_DEPLOYED` or `MIGRATIONS_FAILED`.")
    .optional(),
  previewProjectStatus: z
    .string()
    .describe(
      "State of the branch's own project, as `ACTIVE_HEALTHY`; `INACTIVE` when it has paused by itself.",
    )
    .optional(),
  prNumber: z.int().describe("Number of the pull request.").optional(),
  createdAt: stable(z.string().describe("Time of creation, ISO 8601.")).optional(),
  deletionScheduledAt: z.string().describe("Time at which it will be deleted, ISO 8601.").optional(),
  host: z.string().describe("Host name of the branch's own database.").optional(),
  port: z.int().describe("Port of the branch's own database.").optional(),
  user: z.string().describe("User of the branch's own database.").optional(),
  password: secret(z.string().describe("Password of the branch's own database.")).optional(),
  jwtSecret: secret(z.string().describe("Secret that signs the branch's JWTs.")).optional(),
  ...connectionOutputs,
});

export type BranchInputs = z.output<typeof branchInputs>;
export type BranchOutputs = z.output<typeof branchOutputs>;

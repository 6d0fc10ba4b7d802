import type { z } from "zod";
import type { createBranchBody, updateBranchBody } from "../../../../spec/operations/branches";
import type { createBranchWithDiskBody } from "../../../../spec/operations/newer/branches";
import type { ObservedResource } from "../../../define/resource";
import { formatApiUrl, formatConnectionUrl, type DatabaseEndpoint } from "../../projects/project/connection";
import { isDefaultBranch, type BranchConnection, type BranchRecord } from "./calls";
import type { BranchInputs, BranchOutputs } from "./fields";

type SecondInstanceSize = z.input<
  typeof createBranchWithDiskBody
>["data"]["attributes"]["desired_instance_size"];

export function toBody(inputs: BranchInputs): z.input<typeof createBranchBody> {
  return omitAbsent({
    branch_name: inputs.name,
    // An empty text says that there is none.
    git_branch: inputs.gitBranch === "" ? undefined : inputs.gitBranch,
    persistent: inputs.persistent,
    region: inputs.region,
    desired_instance_size: inputs.instanceSize,
    release_channel: inputs.releaseChannel,
    postgres_engine: inputs.postgresEngine,
    secrets: inputs.secrets,
    with_data: inputs.withData,
    notify_url: inputs.notifyUrl,
  });
}

/** The body of the operation of the second version, which alone takes the size of the disk. */
export function toBodyWithDisk(inputs: BranchInputs): z.input<typeof createBranchWithDiskBody> {
  const { branch_name: name, git_branch, persistent, region, with_data, notify_url } = toBody(inputs);
  const attributes = omitAbsent({
    name,
    git_branch,
    persistent,
    region,
    // An open enum: a size that this version does not know is the service's to refuse.
    desired_instance_size: inputs.instanceSize as SecondInstanceSize | undefined,
    desired_disk_size_gb: inputs.diskSizeGb,
    with_data,
    notify_url,
  });
  return { data: { type: "branch", attributes } };
}

/** What changes in place, of the fields that have changed. */
export function toUpdateBody(
  inputs: BranchInputs,
  changed: ReadonlySet<string>,
): z.input<typeof updateBranchBody> {
  const when = <T>(name: keyof BranchInputs, value: T): T | undefined =>
    changed.has(name) ? value : undefined;
  return omitAbsent({
    branch_name: when("name", inputs.name),
    git_branch: when("gitBranch", inputs.gitBranch),
    persistent: when("persistent", inputs.persistent),
    notify_url: when("notifyUrl", inputs.notifyUrl),
  });
}

interface BranchDetails {
  /** Absent while the branch has no database of its own. */
  readonly connection?: BranchConnection | undefined;
  /** The declared ones as the branch has them; absent where none are declared. */
  readonly secrets?: Record<string, string> | undefined;
  /** What decides between two spellings of the same. */
  readonly declared?: { readonly gitBranch?: string | null | undefined };
}

export function fromWire(
  branch: BranchRecord,
  parentRef: string,
  { connection, secrets, declared }: BranchDetails,
): ObservedResource<BranchInputs, BranchOutputs> {
  return {
    inputs: {
      projectRef: branch.parent_project_ref ?? parentRef,
      name: branch.name ?? undefined,
      gitBranch: branch.git_branch || (declared?.gitBranch === "" ? "" : null),
      persistent: branch.persistent ?? undefined,
      secrets,
      notifyUrl: branch.notify_url ?? null,
      withData: branch.with_data ?? undefined,
      // Open enums: a value that this version does not know is drift to be shown.
      postgresEngine: (connection?.postgres_engine ?? undefined) as BranchInputs["postgresEngine"],
      releaseChannel: (connection?.release_channel ?? undefined) as BranchInputs["releaseChannel"],
    },
    outputs: {
      ref: branch.project_ref,
      branchId: branch.id ?? undefined,
      parentProjectRef: branch.parent_project_ref ?? undefined,
      isDefault: isDefaultBranch(branch),
      persistent: branch.persistent ?? undefined,
      status: branch.status ?? undefined,
      previewProjectStatus: branch.preview_project_status ?? connection?.status ?? undefined,
      prNumber: branch.pr_number ?? undefined,
      createdAt: branch.created_at ?? undefined,
      updatedAt: branch.updated_at ?? undefined,
      reviewRequestedAt: branch.review_requested_at ?? undefined,
      latestCheckRunId: branch.latest_check_run_id ?? undefined,
      deletionScheduledAt: branch.deletion_scheduled_at ?? undefined,
      host: connection?.db_host ?? undefined,
      port: connection?.db_port ?? undefined,
      user: connection?.db_user ?? undefined,
      password: connection?.db_pass ?? undefined,
      jwtSecret: connection?.jwt_secret ?? undefined,
      apiUrl: formatApiUrl(branch.project_ref, connection?.db_host),
      connectionString: connection === undefined ? undefined : formatConnectionUrl(endpointOf(connection)),
    },
  };
}

function endpointOf({ db_user, db_pass, db_host, db_port }: BranchConnection): DatabaseEndpoint {
  return { user: db_user, password: db_pass, host: db_host, port: db_port };
}

type DefinedFields<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** An absent field is left out of a body, where `undefined` is not the same. */
function omitAbsent<T extends object>(fields: T): DefinedFields<T> {
  // Removing the keys whose value is undefined gives exactly that type.
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as DefinedFields<T>;
}

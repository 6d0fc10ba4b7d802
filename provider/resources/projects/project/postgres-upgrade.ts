import { InvalidInputError } from "../../../client/errors/errors";
import type { Api, Context } from "../../../define/context";
import { poll } from "../../../waiting/poll";
import { mayPassWhileStarting } from "../../../waiting/project-state";
import { writeOnce } from "../../../waiting/write-once";
import { problems } from "./problems";
import { waitUntilActive, type ProjectRecord } from "./status";

type UpgradeStatus = NonNullable<Awaited<ReturnType<Api["getUpgradeStatus"]>>["databaseUpgradeStatus"]>;
type UpgradeTarget = NonNullable<
  Awaited<ReturnType<Api["getUpgradeEligibility"]>>["target_upgrade_versions"]
>[number];

/** The one value of `status` in the service's report whose meaning is certain: an upgrade begins with it. */
const RUNNING = 0;

/** Upgrades an active project to a major version, unless it runs already, and waits until the project is active again. */
export async function upgradeTo(
  ctx: Context,
  project: ProjectRecord,
  wanted: number,
  channel: string | undefined,
): Promise<ProjectRecord> {
  const { ref } = project;
  const running = majorOfProject(project);
  if (running === wanted) return project;
  if (running === undefined) {
    throw new Error(
      `The service does not return the Postgres version of the project ${ref}. Nothing was upgraded.`,
    );
  }
  refuseLowerVersion(ref, running, wanted);
  const target = await findEligibleTarget(ctx, project, wanted, channel);
  const before = await readCurrentUpgrade(ctx, ref);
  ctx.progress(
    `upgrading Postgres from ${running} to ${wanted} (${target.app_version ?? "unknown version"})`,
  );
  const trackingId = await requestUpgrade(ctx, ref, target, wanted, before);
  await followUpgrade(ctx, ref, { trackingId, before: before?.initiated_at ?? undefined });
  const upgraded = await waitUntilActive(ctx, ref);
  if (majorOfProject(upgraded) === wanted) return upgraded;
  throw new Error(
    `The upgrade of the project ${ref} to Postgres ${wanted} has ended, but the project runs ` +
      `${upgraded.database?.version ?? "an unknown version"}. Check the project before you run again.`,
  );
}

/** Polls an upgrade that is under way until it is completed; fails with the service's error code. */
export async function followUpgrade(
  ctx: Context,
  ref: string,
  upgrade: { readonly trackingId?: string | undefined; readonly before?: string | undefined } = {},
): Promise<void> {
  const query = upgrade.trackingId === undefined ? {} : { tracking_id: upgrade.trackingId };
  await poll<UpgradeStatus | undefined, undefined>(ctx, {
    what: `the Postgres upgrade of ${ref}`,
    look: async () => (await ctx.api.getUpgradeStatus({ ref, ...query })).databaseUpgradeStatus ?? undefined,
    judge(seen) {
      const isStale = upgrade.before !== undefined && seen?.initiated_at === upgrade.before;
      if (seen === undefined || isStale) return { kind: "waiting", reason: "requested" };
      if (seen.error != null) {
        return { kind: "failed", error: createUpgradeError(ref, seen) };
      }
      return isOver(seen)
        ? { kind: "done", value: undefined }
        : { kind: "waiting", reason: seen.progress ?? "no progress reported" };
    },
    mayPass: mayPassWhileStarting,
  });
}

async function findEligibleTarget(
  ctx: Context,
  project: ProjectRecord,
  wanted: number,
  channel: string | undefined,
): Promise<UpgradeTarget> {
  const { ref } = project;
  const eligibility = await ctx.api.getUpgradeEligibility({ ref });
  const targets = eligibility.target_upgrade_versions ?? [];
  const isOriole = project.database?.postgres_engine?.includes("oriole") ?? false;
  const engine = `${wanted}${isOriole ? "-oriole" : ""}`;
  const target = targets.find(
    ({ postgres_version, release_channel }) =>
      postgres_version === engine && (channel === undefined || release_channel === channel),
  );
  const reasons = listObstacles(eligibility);
  if (eligibility.eligible === true && target !== undefined) return target;
  const possible = targets
    .map(({ postgres_version, release_channel }) => {
      const version = postgres_version ?? "unnamed";
      return channel === undefined ? version : `${version} of the channel ${release_channel ?? "unnamed"}`;
    })
    .join(", ");
  const why =
    target === undefined
      ? [
          `the service offers ${possible === "" ? "no version to upgrade to" : `only ${possible}`}`,
          ...reasons,
        ]
      : reasons;
  throw new Error(
    problems.notUpgradable.message({
      ref,
      wanted,
      why: why.length === 0 ? "the service gives no reason" : why.join("; "),
    }),
  );
}

/** Starts the upgrade once; after an unclear outcome, a report that was not there before shows that it began. */
async function requestUpgrade(
  ctx: Context,
  ref: string,
  target: UpgradeTarget,
  wanted: number,
  before: UpgradeStatus | undefined,
): Promise<string | undefined> {
  const body = {
    target_version: target.postgres_version ?? String(wanted),
    // An open enum: it is sent back as it was offered.
    ...(target.release_channel == null ? {} : { release_channel: target.release_channel as "ga" }),
  };
  const { trackingId } = await writeOnce<{ trackingId: string | undefined }>(ctx, {
    send: async () => {
      const { tracking_id } = await ctx.api.startUpgrade({ ref, body });
      return { trackingId: tracking_id ?? undefined };
    },
    findResult: async () => {
      const now = await readCurrentUpgrade(ctx, ref);
      return now !== undefined && now.initiated_at !== before?.initiated_at
        ? { trackingId: undefined }
        : undefined;
    },
  });
  return trackingId;
}

async function readCurrentUpgrade(ctx: Context, ref: string): Promise<UpgradeStatus | undefined> {
  return (await ctx.api.getUpgradeStatus({ ref })).databaseUpgradeStatus ?? undefined;
}

/** From step 9 on only the backup is missing. What an end without an error code means, the running version shows. */
function isOver({ status, progress }: UpgradeStatus): boolean {
  const step = Number(/^\d+/.exec(progress ?? "")?.[0] ?? 0);
  return step >= 9 || (status != null && status !== RUNNING);
}

function createUpgradeError(ref: string, { error, progress }: UpgradeStatus): Error {
  return new Error(
    `The Postgres upgrade of the project ${ref} failed: ${error ?? "the service gives no error code"}` +
      `${progress == null ? "" : ` (at ${progress})`}. Check the project, then run again.`,
  );
}

type UpgradeEligibility = Awaited<ReturnType<Api["getUpgradeEligibility"]>>;

/** Everything that the service names against an upgrade, in words. */
function listObstacles(eligibility: UpgradeEligibility): string[] {
  return [
    ...formatObstacles("extensions that the new version lacks", eligibility.unsupported_extensions),
    ...formatObstacles("custom roles with legacy authentication", eligibility.legacy_auth_custom_roles),
    ...formatObstacles("objects that would be dropped", eligibility.objects_to_be_dropped),
    ...formatObstacles(
      "user-defined objects in internal schemas",
      eligibility.user_defined_objects_in_internal_schemas,
    ),
    ...(eligibility.validation_errors ?? []).map(describeObstacle),
  ];
}

function formatObstacles(what: string, names: readonly string[] | null | undefined): string[] {
  return names == null || names.length === 0 ? [] : [`${what}: ${names.join(", ")}`];
}

/** `active_replication_slot (slot_name: sync)`: the kinds and their details are open. */
function describeObstacle({ type, ...details }: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(details).map(
    ([name, value]) => `${name}: ${Array.isArray(value) ? value.join(", ") : String(value)}`,
  );
  return `${typeof type === "string" ? type : "unknown problem"}${parts.length === 0 ? "" : ` (${parts.join("; ")})`}`;
}

/** The major version in `15.1.0.117` or `postgres-15.1.0.117`. */
export function parseMajor(version: string | null | undefined): number | undefined {
  const digits = /\d+/.exec(version ?? "")?.[0];
  return digits === undefined ? undefined : Number(digits);
}

export function majorOfProject(project: ProjectRecord): number | undefined {
  return parseMajor(project.database?.version);
}

/** Throws when the declared major version lies below the running one: there is no way back. */
export function refuseLowerVersion(ref: string, running: number | undefined, wanted: number): void {
  if (running === undefined || wanted >= running) return;
  throw new InvalidInputError("postgresVersion", problems.noWayBack.message({ ref, running, wanted }));
}

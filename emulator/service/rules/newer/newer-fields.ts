import { z } from "zod";
import { newerAuthSettings, newerRealtimeSettings } from "../../../../spec/new-project";
import type { OperationAnswer } from "../../../../spec/operation";
import type { OperationName, Operations } from "../../../../spec/table";
import type { AsyncOperationName } from "../shared/handler";
import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import { backupId } from "../database/backups";
import {
  newerAuthConfig,
  newerRealtimeConfig,
  newerRestLayerConfig,
  type NewerRecord,
} from "../../world/records/newer";
import type { ProjectRecord } from "../../world/records/project";
import { Refusal } from "../../answers/refusal";

/** The fields of a body that the documents do not have. */
type NewerBody = Readonly<Record<string, unknown>>;

/** What an operation on a project takes, keeps and answers beyond the documents. */
export interface NewerFields<A> {
  /** Fields that the body takes on top; all of them may be absent. */
  readonly body?: z.ZodObject;
  /** Refuses what the service does not take of them. */
  readonly check?: (world: World, sent: NewerBody) => void;
  /** Keeps what was sent of them, which the operation's own rules are not shown then. */
  readonly keep?: (newer: NewerRecord, sent: NewerBody, answer: A) => void;
  /** The answer, made of the one by the documents. */
  readonly answer?: (answer: A, project: ProjectRecord) => A;
}

type RuledOperation = Exclude<OperationName, AsyncOperationName>;
export type NewerFieldsByOperation = {
  readonly [N in RuledOperation]?: NewerFields<OperationAnswer<Operations[N]>>;
};

/** Ten settings of Postgres. Unknown which but for `log_connections`: here those that most plausibly came with it. */
const logSettings = z
  .object({
    log_autovacuum_min_duration: z.union([z.int(), z.string()]),
    log_checkpoints: z.boolean(),
    log_connections: z.boolean(),
    log_disconnections: z.boolean(),
    log_duration: z.boolean(),
    log_lock_waits: z.boolean(),
    log_recovery_conflict_waits: z.boolean(),
    log_replication_commands: z.boolean(),
    log_startup_progress_interval: z.union([z.int(), z.string()]),
    log_temp_files: z.union([z.int(), z.string()]),
  })
  .partial();

// Unknown what a new project has of these: here what changes least.
const auth = configuration("auth", newerAuthConfig, {
  ...newerAuthSettings,
  mfa_allow_low_aal: false,
  audit_log_disable_postgres: false,
  security_update_password_require_current_password: false,
});
const realtime = configuration("realtime", newerRealtimeConfig, newerRealtimeSettings);
const restLayer = configuration("restLayer", newerRestLayerConfig, { db_pool_acquisition_timeout: 10 });
const ssoWrite = {
  body: z.object({ disabled: z.boolean().optional() }),
  keep: keepDisabled,
  answer: answerSsoProvider,
};

type AuthConfigAnswer = OperationAnswer<Operations["getAuthConfig"]>;

/** Everything that newer answers carry (service, Newer fields; service, Just-in-time access). */
export const newerFields: NewerFieldsByOperation = {
  getAuthConfig: { answer: answerAuthConfig },
  updateAuthConfig: {
    body: auth.body,
    check: requireSecureOrigins,
    keep: auth.keep,
    answer: answerAuthConfig,
  },
  getProjectConfig: { answer: answerProjectConfig },
  getRealtimeConfig: { answer: realtime.answer },
  updateRealtimeConfig: { body: realtime.body, keep: realtime.keep },
  getRestLayerConfig: { answer: restLayer.answer },
  updateRestLayerConfig: { body: restLayer.body, keep: restLayer.keep, answer: restLayer.answer },
  // The rules keep these among the overrides, with the other settings that no document lists.
  updatePostgresConfig: { body: logSettings },
  listBackups: {
    answer: (listed, project) => ({
      ...listed,
      backups: listed.backups.map((backup) => ({ ...backup, id: backupId(project, backup.inserted_at) })),
    }),
  },
  getUpgradeEligibility: {
    answer: (eligibility, { newer }) => ({ ...eligibility, warnings: newer.upgradeWarnings }),
  },
  listSsoProviders: {
    answer: ({ items }, project) => ({ items: items.map((item) => answerSsoProvider(item, project)) }),
  },
  createSsoProvider: ssoWrite,
  getSsoProvider: { answer: answerSsoProvider },
  updateSsoProvider: ssoWrite,
  deleteSsoProvider: { answer: answerSsoProvider },
  getJitAccess: { answer: answerJitState },
  updateJitAccess: { answer: answerJitState },
};

/** Further fields of a configuration that merges: null resets a field (service, Auth configuration). */
function configuration<K extends "auth" | "realtime" | "restLayer">(
  name: K,
  fields: z.ZodObject,
  defaults: Readonly<Required<NewerRecord[K]>>,
) {
  return {
    body: fields.partial(),
    keep: (newer: NewerRecord, sent: NewerBody): void => {
      const kept = Object.entries({ ...newer[name], ...sent }).filter(([, value]) => value !== null);
      // The body's schema has parsed these very fields.
      newer[name] = Object.fromEntries(kept);
    },
    answer: <A extends object>(answer: A, { newer }: ProjectRecord): A => ({
      ...answer,
      ...defaults,
      ...newer[name],
    }),
  };
}

/** As measured (service, Auth configuration). */
function requireSecureOrigins({ state }: World, { webauthn_rp_origins: origins }: NewerBody): void {
  if (!isAsMeasured(state)) return;
  if (typeof origins !== "string") return;
  const insecure = origins
    .split(",")
    .find(
      (origin) =>
        /^http:/.test(origin.trim()) && !/^http:\/\/(?:localhost|127\.0\.0\.1)(?::|\/|$)/.test(origin.trim()),
    );
  if (insecure === undefined) return;
  throw new Refusal(
    400,
    `WebAuthn RP origin "${insecure.trim()}" must use HTTPS (HTTP is only allowed for localhost/127.0.0.1)`,
  );
}

/** One more field is only answered. */
function answerAuthConfig(config: AuthConfigAnswer, project: ProjectRecord): AuthConfigAnswer {
  return { ...auth.answer(config, project), ...{ index_worker_ensure_user_search_indexes_exist: false } };
}

type ProjectConfigAnswer = OperationAnswer<Operations["getProjectConfig"]>;

/** Of a text that was never set, the default is an empty one here. */
function answerProjectConfig({ data }: ProjectConfigAnswer, project: ProjectRecord): ProjectConfigAnswer {
  const further = Object.entries<unknown>(auth.answer({}, project)).map(
    ([name, value]): [string, unknown] => [name, value ?? ""],
  );
  const inForce = { ...data.attributes.auth, ...Object.fromEntries(further) };
  return { data: { ...data, attributes: { ...data.attributes, auth: inForce } } };
}

function keepDisabled(newer: NewerRecord, { disabled }: NewerBody, { id }: { readonly id: string }): void {
  if (disabled === undefined) return;
  const others = newer.disabledSsoProviders.filter((other) => other !== id);
  newer.disabledSsoProviders = disabled === true ? [...others, id] : others;
}

type SsoProvider = OperationAnswer<Operations["getSsoProvider"]>;

function answerSsoProvider(provider: SsoProvider, { newer }: ProjectRecord): SsoProvider {
  const { saml, created_at: createdAt } = provider;
  return {
    ...provider,
    ...{ disabled: newer.disabledSsoProviders.includes(provider.id) },
    ...(saml === undefined ? {} : { saml: { ...saml, ...{ created_at: createdAt } } }),
  };
}

/** Newer answers have the state in place of the user. */
function answerJitState(
  _user: OperationAnswer<Operations["getJitAccess"]>,
  { jit }: ProjectRecord,
): OperationAnswer<Operations["getJitAccess"]> {
  // Unknown what a project lacks that has no such access: here an upgrade.
  const reason = jit.state === "unavailable" ? { unavailableReason: "postgres_upgrade_required" } : {};
  return { state: jit.state, appliedSuccessfully: true, ...reason };
}

import type { Values } from "../../../provider/lifecycle/state";
import { nothingToSee, type TrialContext, type Subject } from "./subject";

/** A configuration that every project has: what a program declares of it, and how others change and see that. */
interface Configuration extends Omit<Subject, "inputs" | "edit"> {
  readonly declared: Values;
  readonly edit: NonNullable<Subject["edit"]>;
}

function configuration({ declared, ...others }: Configuration): Subject {
  return {
    ...others,
    inputs: ({ ref }: TrialContext) => ({ projectRef: ref, ...declared }),
  };
}

const FIRST_KEY = "a1b2c3d4".repeat(8);
const SECOND_KEY = "b2c3d4e5".repeat(8);

export const configurationSubjects: readonly Subject[] = [
  configuration({
    type: "AuthConfig",
    declared: { jwtExp: 1800, mailer: { otpLength: 7 } },
    edit: ({ client, ref }) => client.updateAuthConfig({ ref, body: { jwt_exp: 77 } }),
    look: async ({ client, ref }) => {
      const { jwt_exp, mailer_otp_length } = await client.getAuthConfig({ ref });
      return { jwt_exp, mailer_otp_length };
    },
  }),
  configuration({
    type: "RealtimeConfig",
    declared: { privateOnly: true, maxJoinsPerSecond: 50 },
    edit: ({ client, ref }) => client.updateRealtimeConfig({ ref, body: { private_only: false } }),
    look: async ({ client, ref }) => (await client.getRealtimeConfig({ ref })).private_only,
  }),
  configuration({
    type: "StorageConfig",
    declared: { fileSizeLimit: 10_485_760 },
    edit: ({ client, ref }) => client.updateStorageConfig({ ref, body: { fileSizeLimit: 20_971_520 } }),
    look: async ({ client, ref }) => (await client.getStorageConfig({ ref })).fileSizeLimit,
  }),
  configuration({
    type: "RestLayerConfig",
    declared: { maxRows: 500 },
    edit: ({ client, ref }) => client.updateRestLayerConfig({ ref, body: { max_rows: 7 } }),
    look: async ({ client, ref }) => (await client.getRestLayerConfig({ ref })).max_rows,
  }),
  configuration({
    type: "PoolerConfig",
    declared: { poolMode: "session" },
    edit: ({ client, ref }) => client.updatePoolerConfig({ ref, body: { pool_mode: "transaction" } }),
    look: async ({ client, ref }) =>
      (await client.listPoolerConfigs({ ref })).map(({ pool_mode }) => pool_mode),
  }),
  configuration({
    type: "SslEnforcement",
    declared: { database: true },
    edit: ({ client, ref }) =>
      client.updateSslEnforcement({ ref, body: { requestedConfig: { database: false } } }),
    look: async ({ client, ref }) => (await client.getSslEnforcement({ ref })).currentConfig,
  }),
  configuration({
    type: "BackupSchedule",
    isPaidFor: true,
    declared: { scheduleFor: "04:30" },
    edit: ({ client, ref }) => client.updateBackupSchedule({ ref, body: { schedule_for: "05:15:00" } }),
    look: async ({ client, ref }) => (await client.getBackupSchedule({ ref })).schedule_for,
  }),
  configuration({
    type: "CryptoExtensionKey",
    declared: { rootKey: FIRST_KEY, allowKeyChange: true },
    edit: ({ client, ref }) => client.updateCryptoExtConfig({ ref, body: { root_key: SECOND_KEY } }),
    // A delete leaves the key.
    look: nothingToSee,
  }),
  configuration({
    type: "JitAccess",
    declared: { state: "enabled" },
    edit: ({ client, ref }) => client.updateJitAccess({ ref, body: { state: "disabled" } }),
    unedited: (state) => (state === undefined ? "this service does not show the state" : undefined),
    look: async ({ client, ref }) => (await client.getJitAccess({ ref })).state,
  }),
  configuration({
    type: "LegacyApiKeys",
    declared: { enabled: false },
    edit: ({ client, ref }) => client.updateLegacyApiKeys({ ref, enabled: true }),
    look: async ({ client, ref }) => (await client.getLegacyApiKeys({ ref })).enabled,
  }),
  configuration({
    type: "NetworkRestrictions",
    isPaidFor: true,
    declared: { allowedCidrs: ["203.0.113.0/24"], allowedCidrsV6: ["2001:db8:42::/48"] },
    edit: ({ client, ref }) =>
      client.patchNetworkRestrictions({ ref, body: { add: { dbAllowedCidrs: ["192.0.2.7/32"] } } }),
    // A delete leaves the lists, as what was found lets everybody in.
    look: nothingToSee,
  }),
];

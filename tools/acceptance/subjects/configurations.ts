import { nothingToSee, subjects } from "./subject";

const SECOND_KEY = "b2c3d4e5".repeat(8);

/** Configurations, which every project has. */
export const configurationSubjects = subjects([
  {
    type: "AuthConfig",
    inputs: () => ({ smtp: undefined, mailer: { otpLength: 7 } }),
    look: async ({ client, ref }) => {
      const { jwt_exp, mailer_otp_length } = await client.getAuthConfig({ ref });
      return { jwt_exp, mailer_otp_length };
    },
  },
  {
    type: "RealtimeConfig",
    inputs: () => ({ maxConcurrentUsers: undefined, maxJoinsPerSecond: 50 }),
    look: async ({ client, ref }) => (await client.getRealtimeConfig({ ref })).private_only,
  },
  {
    type: "StorageConfig",
    inputs: () => ({ features: undefined }),
    look: async ({ client, ref }) => (await client.getStorageConfig({ ref })).fileSizeLimit,
  },
  {
    type: "RestLayerConfig",
    inputs: () => ({ dbSchema: undefined }),
    look: async ({ client, ref }) => (await client.getRestLayerConfig({ ref })).max_rows,
  },
  {
    type: "PoolerConfig",
    inputs: () => ({ defaultPoolSize: undefined, poolMode: "session" }),
    edit: ({ client, ref }) => client.updatePoolerConfig({ ref, body: { pool_mode: "transaction" } }),
    look: async ({ client, ref }) =>
      (await client.listPoolerConfigs({ ref })).map(({ pool_mode }) => pool_mode),
  },
  {
    type: "SslEnforcement",
    edit: ({ client, ref }) =>
      client.updateSslEnforcement({ ref, body: { requestedConfig: { database: false } } }),
    look: async ({ client, ref }) => (await client.getSslEnforcement({ ref })).currentConfig,
  },
  {
    type: "BackupSchedule",
    isPaidFor: true,
    edit: ({ client, ref }) => client.updateBackupSchedule({ ref, body: { schedule_for: "05:15:00" } }),
    look: async ({ client, ref }) => (await client.getBackupSchedule({ ref })).schedule_for,
  },
  {
    type: "CryptoExtensionKey",
    edit: ({ client, ref }) => client.updateCryptoExtConfig({ ref, body: { root_key: SECOND_KEY } }),
    // A delete leaves the key.
    look: nothingToSee,
  },
  {
    type: "JitAccess",
    edit: ({ client, ref }) => client.updateJitAccess({ ref, body: { state: "disabled" } }),
    unedited: (state) => (state === undefined ? "this service does not show the state" : undefined),
    look: async ({ client, ref }) => (await client.getJitAccess({ ref })).state,
  },
  {
    type: "LegacyApiKeys",
    edit: ({ client, ref }) => client.updateLegacyApiKeys({ ref, enabled: true }),
    look: async ({ client, ref }) => (await client.getLegacyApiKeys({ ref })).enabled,
  },
  {
    type: "NetworkRestrictions",
    isPaidFor: true,
    inputs: () => ({ allowedCidrs: ["203.0.113.0/24"] }),
    // A delete leaves the lists, as what was found lets everybody in.
    look: nothingToSee,
  },
]);

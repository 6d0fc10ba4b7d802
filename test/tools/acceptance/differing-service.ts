import { isObject } from "../../../spec/is-object";
import type { OperationName } from "../../../spec/table";
import { startAnswerProxy, withJson } from "../../kit/answer-proxy";

/** How the answers to an operation differ: one more field, or another status of success. */
export interface Planted {
  readonly operation: OperationName;
  readonly kind: "shape" | "status";
}

const shape = (operation: OperationName): Planted => ({ operation, kind: "shape" });
const status = (operation: OperationName): Planted => ({ operation, kind: "status" });

/** The difference that is there while a type is tried, and only then. */
export const PLANTED: Readonly<Record<string, Planted>> = {
  Project: shape("createProject"),
  ApiKey: shape("createApiKey"),
  SigningKey: shape("createSigningKey"),
  Secret: status("createSecrets"),
  EdgeFunction: shape("deployFunction"),
  SsoProvider: shape("createSsoProvider"),
  PostgresConfig: status("updatePostgresConfig"),
  Branch: shape("createBranch"),
  CustomHostname: shape("initializeCustomHostname"),
  AuthConfig: shape("getAuthConfig"),
  RealtimeConfig: status("updateRealtimeConfig"),
  StorageConfig: shape("getStorageConfig"),
  RestLayerConfig: shape("updateRestLayerConfig"),
  PoolerConfig: shape("listPoolerConfigs"),
  SslEnforcement: shape("getSslEnforcement"),
  BackupSchedule: shape("getBackupSchedule"),
  CryptoExtensionKey: shape("getCryptoExtConfig"),
  JitAccess: shape("getJitAccess"),
  LegacyApiKeys: shape("getLegacyApiKeys"),
  NetworkRestrictions: shape("getNetworkRestrictions"),
  ThirdPartyAuth: shape("createThirdPartyAuth"),
  LegacySigningKey: shape("getLegacySigningKey"),
  SecretSet: status("createSecrets"),
  FunctionSet: shape("deployFunction"),
  Migration: status("runQuery"),
  MigrationSet: status("runQuery"),
  DatabaseWebhooks: status("enableWebhooks"),
  LoginRole: shape("createLoginRole"),
  JitUser: shape("updateJitUser"),
  AllowedCidr: shape("patchNetworkRestrictions"),
  ProjectClaimToken: shape("createClaimToken"),
  VanitySubdomain: shape("activateVanitySubdomain"),
  Disk: shape("getDisk"),
  BillingAddon: status("applyAddon"),
  ReadReplica: status("setUpReadReplica"),
  SqlScript: status("runQuery"),
  VaultSecret: status("runQuery"),
  StorageBucket: status("runQuery"),
  WebhookEndpoint: shape("createProjectWebhookEndpoint"),
  LogDrain: shape("createLogDrain"),
  ReadOnlyOverride: shape("getReadonlyMode"),
  NetworkBanRemoval: status("removeNetworkBans"),
  RealtimeShutdown: status("shutDownRealtime"),
  BranchPush: shape("pushBranch"),
  BranchReset: shape("resetBranch"),
  BranchMerge: shape("mergeBranch"),
  RestorePoint: shape("createRestorePoint"),
  RestorePointUndo: status("undoToRestorePoint"),
  PitrRestore: status("restorePitr"),
};

/** A service that answers as another one does, but for what is planted in the answers while `type` is tried. */
export interface DifferingService {
  readonly url: string;
  type: string;
  /** Requests since the start. */
  readonly count: number;
  /** The number of the request that is the last one to reach the service; nobody hears its answer. */
  lastRequest: number;
  close(): Promise<void>;
}

export async function startDifferingService(
  serviceUrl: string,
  planted: Readonly<Record<string, Planted>> = {},
): Promise<DifferingService> {
  const proxy = await startAnswerProxy(serviceUrl);
  let type = "";
  let lastRequest = Infinity;
  proxy.disturb({ appliesTo: ({ number }) => number > lastRequest, drop: "before" });
  proxy.disturb({ appliesTo: ({ number }) => number === lastRequest, drop: "after" });
  proxy.disturb({
    appliesTo: ({ operation }) => operation !== undefined && planted[type]?.operation === operation,
    rewrite: (answer) => {
      if (answer.status >= 300) return {};
      return planted[type]?.kind === "status"
        ? { status: answer.status === 200 ? 201 : 200 }
        : withJson(answer, withField);
    },
  });
  return {
    url: proxy.url,
    get type() {
      return type;
    },
    set type(next) {
      type = next;
    },
    get lastRequest() {
      return lastRequest;
    },
    set lastRequest(number) {
      lastRequest = number;
    },
    get count() {
      return proxy.requests.length;
    },
    close: () => proxy.close(),
  };
}

function withField(answer: unknown): unknown {
  const plant = (value: unknown): unknown => (isObject(value) ? { ...value, planted: true } : value);
  return Array.isArray(answer) ? answer.map(plant) : plant(answer);
}

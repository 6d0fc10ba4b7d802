import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { isObject } from "../../../spec/is-object";
import { literalNames } from "../../../spec/names/names";
import type { OperationName } from "../../../spec/table";
import { operationFinder } from "../../../tools/acceptance/find-operation";

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
  const find = operationFinder(literalNames);
  let type = "";
  let count = 0;
  let lastRequest = Infinity;
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const number = (count += 1);
    if (number > lastRequest) throw new Error("no request after the last one gets through");
    const { method = "", url = "" } = incoming;
    const body = await buffer(incoming);
    const answered = await fetch(`${serviceUrl}${url}`, {
      method,
      headers: passedOn(incoming.headers),
      ...(body.byteLength > 0 && { body: new Uint8Array(body) }),
    });
    if (number === lastRequest) throw new Error("nobody hears the answer");
    const { pathname } = new URL(url, serviceUrl);
    const isPlanted = planted[type]?.operation === find(method, pathname)?.name && answered.ok;
    const kind = isPlanted ? planted[type]?.kind : undefined;
    const bytes = Buffer.from(await answered.arrayBuffer());
    const code = kind === "status" ? otherStatus(answered.status) : answered.status;
    outgoing.writeHead(code, passedOn(Object.fromEntries(answered.headers)));
    outgoing.end(kind === "shape" ? withField(bytes) : bytes);
  };
  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
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
      return count;
    },
    close() {
      server.closeAllConnections();
      server.close();
      return Promise.resolve();
    },
  };
}

/** Without headers of one connection, and those from which a body would come in another encoding. */
const NOT_PASSED_ON =
  /^(?:accept-encoding|connection|content-encoding|content-length|expect|host|keep-alive|transfer-encoding)$/;

function passedOn(headers: IncomingMessage["headers"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === "string" && !NOT_PASSED_ON.test(name) ? [[name, value]] : [],
    ),
  );
}

function otherStatus(given: number): number {
  return given === 200 ? 201 : 200;
}

function withField(bytes: Buffer): Buffer {
  const answer: unknown = JSON.parse(bytes.toString("utf8"));
  const changed = Array.isArray(answer) ? answer.map(planted) : planted(answer);
  return Buffer.from(JSON.stringify(changed));
}

function planted(value: unknown): unknown {
  return isObject(value) ? { ...value, planted: true } : value;
}

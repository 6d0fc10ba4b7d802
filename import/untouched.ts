import { isDeepStrictEqual } from "node:util";
import type { Values } from "../provider/define/values";

/**
 * What an import of a new project declares beside `projectRef` (docs/import.md): a program that had it would say what
 * everybody has. An import of the other configurations declares differences only.
 */
const OF_A_NEW_PROJECT: Readonly<Record<string, readonly Values[]>> = {
  AuthConfig: [{}],
  PostgresConfig: [{}],
  RealtimeConfig: [{}],
  RestLayerConfig: [{}],
  StorageConfig: [{}],
  PoolerConfig: [{ poolMode: "transaction" }],
  SslEnforcement: [{ database: false }],
  JitAccess: [{ state: "disabled" }, { state: "unavailable" }],
  LegacyApiKeys: [{ enabled: true }],
  NetworkRestrictions: [{ allowedCidrs: ["0.0.0.0/0"], allowedCidrsV6: ["::/0"] }],
  Disk: [
    { type: "gp3", sizeGb: 2, iops: 3000, throughputMibps: 125 },
    { type: "gp3", sizeGb: 8, iops: 3000, throughputMibps: 125 },
  ],
};

/** What every project has and the service does not show enough of for a program to say anything. */
const SAYS_NOTHING: Readonly<Record<string, string>> = {
  BackupSchedule: "not every service has it, and the time of a new project's backup is unknown",
  CryptoExtensionKey: "every project has a key of its own; a program would only repeat the secret",
  DatabaseWebhooks: "the service does not show whether they are enabled",
};

/** Why a type is not even read; undefined for all others. */
export function explainNotRead(type: string): string | undefined {
  return Object.hasOwn(SAYS_NOTHING, type) ? SAYS_NOTHING[type] : undefined;
}

/** Why a program cannot declare what most projects have of a type; undefined for all others. */
export function explainUndeclarable(type: string): string | undefined {
  return type === "JitAccess" ? "the service does not show whether it is enabled" : undefined;
}

/** Why a configuration stays out of the program; undefined for one that a new project would not have. */
export function explainLeftOut(type: string, inputs: Values): string | undefined {
  const { projectRef } = inputs;
  const isUsual = (OF_A_NEW_PROJECT[type] ?? []).some((usual) =>
    isDeepStrictEqual(inputs, { projectRef, ...usual }),
  );
  return isUsual ? "it is as in a new project" : undefined;
}

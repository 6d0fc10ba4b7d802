import type { z } from "zod";
import { isObject } from "../../spec/is-object";
import type { Names } from "../../spec/names/names";
import { childAt, shapeOf } from "../../spec/shape-of";
import { operations } from "../../spec/table";
import { traitsOf } from "../../provider/define/markers";
import { resourceByType } from "../../provider/catalog/catalog";
import type { AnyResource } from "../../provider/define/resource";
import { isReadableSettings, type ReadableSettings } from "../../provider/settings/settings";
import { ConfigValue, JoinedText } from "./config-value";

/** The configurations that sources declare by fields of the API, with what the API takes and answers of them. */
const CONFIGURATIONS = {
  AuthConfig: {
    write: operations.updateAuthConfig,
    read: operations.getAuthConfig,
    // Of the running service, which this version has no inputs for (service, Newer fields).
    newer: [
      "security_update_password_require_current_password",
      "mfa_allow_low_aal",
      "audit_log_disable_postgres",
    ],
  },
  PostgresConfig: {
    write: operations.updatePostgresConfig,
    read: operations.getPostgresConfig,
    newer: ["log_connections"],
  },
  RestLayerConfig: {
    write: operations.updateRestLayerConfig,
    read: operations.getRestLayerConfig,
    newer: ["db_pool_acquisition_timeout"],
  },
  StorageConfig: {
    write: operations.updateStorageConfig,
    read: operations.getStorageConfig,
    newer: [],
  },
} as const;

export type ConfigurationType = keyof typeof CONFIGURATIONS;

type SettingsBody = Readonly<Record<string, unknown>>;

export interface BodyInputs {
  readonly inputs: Record<string, unknown>;
  /** Fields that the API does not have: never sent, or misspelt. */
  readonly unknown: readonly string[];
  /** Fields that answers alone have: whoever wrote them took the whole answer. */
  readonly readOnly: readonly string[];
}

/** Fields of the API, as the installation spells them, as the inputs of a program. */
export function readBodyInputs(type: ConfigurationType, spelled: SettingsBody, names: Names): BodyInputs {
  const { write, read, newer } = CONFIGURATIONS[type];
  const schema: z.ZodType = write.body.schema;
  const body = exchangeNames(schema, spelled, names);
  const isTaken = (key: string): boolean => childAt(shapeOf(schema), key) !== undefined;
  const isAnswered = (key: string): boolean => childAt(shapeOf(read.success.schema), key) !== undefined;
  const isNewer = (key: string): boolean => (newer as readonly string[]).includes(key);
  const keys = Object.keys(body);
  const known = keys.filter((key) => isTaken(key) || isNewer(key));
  return {
    inputs: loadConfiguration(type).inputsOf(Object.fromEntries(known.map((key) => [key, body[key]]))),
    unknown: keys.filter((key) => !known.includes(key) && !isAnswered(key)),
    readOnly: keys.filter((key) => !known.includes(key) && isAnswered(key)),
  };
}

function loadConfiguration(type: ConfigurationType): AnyResource & ReadableSettings {
  const resource = resourceByType(type);
  if (!isReadableSettings(resource)) throw new Error(`${type} is no configuration`);
  return resource;
}

/** What a resource's own import would declare of these inputs: those that differ from a new project's. */
export function omitUsualValues(
  type: ConfigurationType,
  inputs: Record<string, unknown>,
): Record<string, unknown> {
  const { importId } = loadConfiguration(type);
  const declared = importId.declares?.(inputs) ?? inputs;
  const extra = isObject(inputs["extraSettings"]) ? Object.entries(inputs["extraSettings"]) : [];
  // What a new project has of these is not known: as of other settings, what is off or empty is taken for that.
  const set = extra.filter(([, value]) => value !== false && value !== "");
  return set.length === 0 ? declared : { ...declared, extraSettings: Object.fromEntries(set) };
}

/** The inputs with a configuration value in place of each secret; `named` makes it of the input's path and the value. */
export function omitSecretInputs(
  schema: z.ZodType,
  inputs: Record<string, unknown>,
  named: (path: string, value: string) => ConfigValue | undefined,
  path = "",
): Record<string, unknown> {
  const entries = Object.entries(inputs).flatMap(([key, value]) => {
    const field = childAt(shapeOf(schema), key);
    const at = path === "" ? key : `${path}.${key}`;
    if (field === undefined || value instanceof ConfigValue || value instanceof JoinedText)
      return [[key, value]];
    if (traitsOf(field).secret === true && typeof value === "string") {
      const found = named(at, value);
      return found === undefined ? [] : [[key, found]];
    }
    if (!isObject(value)) return [[key, value]];
    const within = omitSecretInputs(field, value, named, at);
    return Object.keys(within).length === 0 && Object.keys(value).length > 0 ? [] : [[key, within]];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** A configuration value has no words of the service's: it passes as it is. */
function exchangeNames(schema: z.ZodType, spelled: SettingsBody, names: Names): SettingsBody {
  const isOpaque = (value: unknown): boolean => value instanceof ConfigValue || value instanceof JoinedText;
  const opaque = Object.entries(spelled).filter(([, value]) => isOpaque(value));
  const clear = Object.entries(spelled).filter(([, value]) => !isOpaque(value));
  const exchanged = names.fromWire.value(schema, Object.fromEntries(clear));
  const keys = opaque.map(([key, value]) => [names.fromWire.key(schema, key), value] as const);
  return { ...(isObject(exchanged) ? exchanged : {}), ...Object.fromEntries(keys) };
}

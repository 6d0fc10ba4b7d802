import { connectionFaults, environmentBehind, providerConfig } from "../config";
import { fieldOf } from "../define/markers";
import type { CheckFailure } from "../define/resource";
import { describeIssues, NOT_SHOWN, type Redaction } from "../lifecycle/schema/describe-issue";
import { isOwnKey, withoutUndefined, type Values } from "../lifecycle/state";
import { hasUnknown } from "../define/unknown";

/** The engine's own settings of a provider resource. */
const ENGINE_KEYS = new Set(["version", "pluginDownloadURL", "pluginChecksums", "parameterization"]);

/**
 * Every fault of the provider's configuration at once: a misspelt or malformed setting, and what is missing to reach the
 * service with this configuration and environment.
 */
export function checkConfiguration(
  env: NodeJS.ProcessEnv,
  given: Values,
  redaction: Redaction,
): readonly CheckFailure[] {
  const settings = ownSettings(given);
  // Each setting may come from the environment instead, so none is required here.
  const parsed = providerConfig.partial().safeParse(knownOf(settings));
  const failures = describeIssues(parsed.error?.issues ?? [], providerConfig, settings, redaction);
  if (failures.length > 0 || Object.values(settings).some(hasUnknown)) return failures;
  // The environment wins: what is at fault there is no secret setting.
  const ofEnvironment = new Set(connectionFaults(env, () => undefined).map(({ reason }) => reason));
  return connectionFaults(env, configuredIn(settings)).map(({ path, reason }) => {
    if (!redaction.isSecret(path) || ofEnvironment.has(reason)) return { path, reason };
    return { path, reason: `${NOT_SHOWN}; expected: ${fieldOf(providerConfig, path)?.description ?? path}` };
  });
}

/**
 * What wins over the settings. Of the default provider it is the whole environment; a provider that the program declares
 * means what it is given, as another account's token, and the environment only fills in the rest.
 */
export function environmentOf(
  env: NodeJS.ProcessEnv,
  urn: string | undefined,
  given: Values,
): NodeJS.ProcessEnv {
  const name = urn?.split("::").at(-1) ?? "";
  // The engine's own are called `default` or `default_<version>`.
  return name === "" || /^default(?:_|$)/.test(name)
    ? env
    : environmentBehind(env, configuredIn(ownSettings(given)));
}

/** How a connection looks up a setting in the provider's inputs. */
export function configuredIn(settings: Values): (name: string) => string | undefined {
  return (name) => {
    const value = settings[name];
    return typeof value === "string" ? value : undefined;
  };
}

/**
 * The settings that differ, and how. None replaces the provider, and so its resources: a token is rotated, a base URL
 * moves, and what they lead to stays.
 */
export function changedSettings(before: Values, now: Values): Map<string, "add" | "update" | "delete"> {
  const [left, right] = [ownSettings(before), ownSettings(now)];
  const changed = new Map<string, "add" | "update" | "delete">();
  for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
    if (JSON.stringify(left[name]) === JSON.stringify(right[name])) continue;
    changed.set(name, left[name] === undefined ? "add" : right[name] === undefined ? "delete" : "update");
  }
  return changed;
}

function ownSettings(given: Values): Values {
  const isOwn = ([name]: [string, unknown]): boolean => !ENGINE_KEYS.has(name) && !isOwnKey(name);
  return withoutUndefined(Object.fromEntries(Object.entries(given).filter(isOwn)));
}

function knownOf(settings: Values): Values {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => !hasUnknown(value)));
}

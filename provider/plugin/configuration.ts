import {
  listConnectionFaults,
  hideOverriddenVariables,
  providerConfig,
  listSecretSettings,
} from "../process/config";
import { fieldOf } from "../define/markers";
import type { CheckFailure } from "../define/resource";
import { describeIssues, NOT_SHOWN, type Redaction } from "../engine/schema/describe-issue";
import { isOwnKey, omitUndefined, type Values, pick } from "../define/values";
import { hasUnknown } from "../define/unknown";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import {
  toSecret,
  keepSecretMarks,
  listSecretTexts,
  collectTexts,
  wrapSecrets,
} from "../engine/schema/secrets";
import { omitPropertyName } from "../engine/step/errors";
import { z } from "zod";
import { marshal, unmarshal } from "./marshal";
import type { PluginProcess } from "./plugin-process";
import { toCheckFailure } from "./resource-steps";

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
  const settings = pickOwnSettings(given);
  // Each setting may come from the environment instead, so none is required here.
  const parsed = providerConfig.partial().safeParse(pickKnownSettings(settings));
  const failures = describeIssues(parsed.error?.issues ?? [], providerConfig, settings, redaction);
  if (failures.length > 0 || Object.values(settings).some(hasUnknown)) return failures;
  // The environment wins: what is at fault there is no secret setting.
  const ofEnvironment = new Set(listConnectionFaults(env, () => undefined).map(({ reason }) => reason));
  return listConnectionFaults(env, createSettingLookup(settings)).map(({ path, reason }) => {
    if (!redaction.isSecret(path) || ofEnvironment.has(reason)) return { path, reason };
    return { path, reason: `${NOT_SHOWN}; expected: ${fieldOf(providerConfig, path)?.description ?? path}` };
  });
}

/**
 * What wins over the settings. Of the default provider it is the whole environment; a provider that the program declares
 * means what it is given, as another account's token, and the environment only fills in the rest.
 */
export function chooseEnvironment(
  env: NodeJS.ProcessEnv,
  urn: string | undefined,
  given: Values,
): NodeJS.ProcessEnv {
  const name = urn?.split("::").at(-1) ?? "";
  // The engine's own are called `default` or `default_<version>`.
  return name === "" || /^default(?:_|$)/.test(name)
    ? env
    : hideOverriddenVariables(env, createSettingLookup(pickOwnSettings(given)));
}

/** How a connection looks up a setting in the provider's inputs. */
export function createSettingLookup(settings: Values): (name: string) => string | undefined {
  return (name) => {
    const value = settings[name];
    return typeof value === "string" ? value : undefined;
  };
}

/**
 * The settings that differ, and how. None replaces the provider, and so its resources: a token is rotated, a base URL
 * moves, and what they lead to stays.
 */
export function listChangedSettings(before: Values, now: Values): Map<string, "add" | "update" | "delete"> {
  const [left, right] = [pickOwnSettings(before), pickOwnSettings(now)];
  const changed = new Map<string, "add" | "update" | "delete">();
  for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
    if (JSON.stringify(left[name]) === JSON.stringify(right[name])) continue;
    changed.set(name, left[name] === undefined ? "add" : right[name] === undefined ? "delete" : "update");
  }
  return changed;
}

function pickOwnSettings(given: Values): Values {
  const isOwn = ([name]: [string, unknown]): boolean => !ENGINE_KEYS.has(name) && !isOwnKey(name);
  return omitUndefined(Object.fromEntries(Object.entries(given).filter(isOwn)));
}

function pickKnownSettings(settings: Values): Values {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => !hasUnknown(value)));
}

const surface = { inputs: providerConfig, outputs: z.object({}) };

/** Faults of the configuration are reported before anything is planned with it; its secrets are secret in state. */
export function checkConfig(plugin: PluginProcess, request: proto.CheckRequest): proto.CheckResponse {
  const { values, secretNames } = unmarshal(request.getNews());
  const environment = chooseEnvironment(plugin.env, request.getUrn(), values);
  plugin.keepSecret([
    ...listSecretSettings(environment, createSettingLookup(values)),
    ...listSecretTexts(surface, values),
    ...collectTexts(pick(values, secretNames)),
  ]);
  const response = new proto.CheckResponse();
  response.setInputs(marshal(keepSecretMarks(wrapSecrets(surface, values, toSecret), secretNames)));
  const redaction = { redact: plugin.print, isSecret: (name: string) => secretNames.has(name) };
  for (const failure of checkConfiguration(environment, values, redaction)) {
    response.addFailures(toCheckFailure(omitPropertyName(failure, plugin.print)));
  }
  return response;
}

/** Whatever changes, the provider is updated and never replaced: its resources are where they are. */
export function diffConfig(request: proto.DiffRequest): proto.DiffResponse {
  const before = unmarshal(request.getOldInputs() ?? request.getOlds()).values;
  const changed = listChangedSettings(before, unmarshal(request.getNews()).values);
  const { DIFF_SOME, DIFF_NONE } = proto.DiffResponse.DiffChanges;
  const response = new proto.DiffResponse();
  response.setChanges(changed.size > 0 ? DIFF_SOME : DIFF_NONE);
  response.setDiffsList([...changed.keys()]);
  // Without it the engine compares what it shows, in which one secret is like another.
  response.setHasdetaileddiff(changed.size > 0);
  for (const [name, kind] of changed) {
    response.getDetaileddiffMap().set(name, new proto.PropertyDiff().setKind(KINDS[kind]).setInputdiff(true));
  }
  return response;
}

const { ADD, UPDATE, DELETE } = proto.PropertyDiff.Kind;
const KINDS = { add: ADD, update: UPDATE, delete: DELETE } as const;

export function configure(plugin: PluginProcess, request: proto.ConfigureRequest): proto.ConfigureResponse {
  const { values } = unmarshal(request.getArgs());
  plugin.keepSecret(listSecretTexts(surface, values));
  plugin.configure(createSettingLookup(values), chooseEnvironment(plugin.env, request.getUrn(), values));
  return new proto.ConfigureResponse()
    .setAcceptsecrets(true)
    .setSupportsAutonamingConfiguration(true)
    .setSupportspreview(true);
}

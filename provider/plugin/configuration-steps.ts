import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { providerConfig, secretSettings } from "../config";
import { asSecret, keepSecrets, secretTexts, textsIn, wrapSecrets } from "../lifecycle/schema/secrets";
import { pick } from "../lifecycle/state";
import { unnamed } from "../lifecycle/errors";
import { z } from "zod";
import { changedSettings, checkConfiguration, configuredIn, environmentOf } from "./configuration";
import { marshal, unmarshal } from "./marshal";
import type { PluginProcess } from "./plugin-process";
import { failureOf } from "./resource-steps";

const surface = { inputs: providerConfig, outputs: z.object({}) };

/** Faults of the configuration are told before anything is planned with it; its secrets are secret in state. */
export function checkConfig(plugin: PluginProcess, request: proto.CheckRequest): proto.CheckResponse {
  const { values, secretNames } = unmarshal(request.getNews());
  const environment = environmentOf(plugin.env, request.getUrn(), values);
  plugin.keepSecret([
    ...secretSettings(environment, configuredIn(values)),
    ...secretTexts(surface, values),
    ...textsIn(pick(values, secretNames)),
  ]);
  const response = new proto.CheckResponse();
  response.setInputs(marshal(keepSecrets(wrapSecrets(surface, values, asSecret), secretNames)));
  const redaction = { redact: plugin.redact, isSecret: (name: string) => secretNames.has(name) };
  for (const failure of checkConfiguration(environment, values, redaction)) {
    response.addFailures(failureOf(unnamed(failure, plugin.redact)));
  }
  return response;
}

/** Whatever changes, the provider is updated and never replaced: its resources are where they are. */
export function diffConfig(request: proto.DiffRequest): proto.DiffResponse {
  const before = unmarshal(request.getOldInputs() ?? request.getOlds()).values;
  const changed = changedSettings(before, unmarshal(request.getNews()).values);
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
  plugin.keepSecret(secretTexts(surface, values));
  plugin.configure(configuredIn(values), environmentOf(plugin.env, request.getUrn(), values));
  return new proto.ConfigureResponse()
    .setAcceptsecrets(true)
    .setSupportsAutonamingConfiguration(true)
    .setSupportspreview(true);
}

import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { providerConfig } from "../config";
import { asSecret } from "../lifecycle/secret-signature";
import { secretTexts, wrapSecrets } from "../lifecycle/secrets";
import { z } from "zod";
import { changedSettings, checkConfiguration, configuredIn } from "./configuration";
import { keepSecrets, marshal, unmarshal } from "./marshal";
import type { PluginProcess } from "./plugin-process";
import { failureOf } from "./resource-steps";

const surface = { inputs: providerConfig, outputs: z.object({}) };

/** Faults of the configuration are told before anything is planned with it; its secrets are secret in state. */
export function checkConfig(plugin: PluginProcess, request: proto.CheckRequest): proto.CheckResponse {
  const { values, secretNames } = unmarshal(request.getNews());
  plugin.keepSecret(secretTexts(surface, values));
  const response = new proto.CheckResponse();
  response.setInputs(marshal(keepSecrets(wrapSecrets(surface, values, asSecret), secretNames)));
  for (const { path, reason } of checkConfiguration(plugin.env, values)) {
    response.addFailures(failureOf(path, plugin.redact(reason)));
  }
  return response;
}

/** Whatever changes, the provider is updated and never replaced: its resources are where they are. */
export function diffConfig(request: proto.DiffRequest): proto.DiffResponse {
  const before = unmarshal(request.getOldInputs() ?? request.getOlds()).values;
  const changed = changedSettings(before, unmarshal(request.getNews()).values);
  const { DIFF_SOME, DIFF_NONE } = proto.DiffResponse.DiffChanges;
  const response = new proto.DiffResponse();
  response.setChanges(changed.length > 0 ? DIFF_SOME : DIFF_NONE);
  response.setDiffsList(changed);
  return response;
}

export function configure(plugin: PluginProcess, request: proto.ConfigureRequest): proto.ConfigureResponse {
  const { values } = unmarshal(request.getArgs());
  plugin.keepSecret(secretTexts(surface, values));
  plugin.configure(configuredIn(values));
  return new proto.ConfigureResponse()
    .setAcceptsecrets(true)
    .setSupportsAutonamingConfiguration(true)
    .setSupportspreview(true);
}

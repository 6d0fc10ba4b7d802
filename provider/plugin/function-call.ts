import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { functionByName } from "../by-name";
import { checkArguments, invokeFunction } from "../lifecycle/operations/invoke";
import { asSecret, keepSecrets, secretTexts, textsIn, wrapSecrets } from "../lifecycle/schema/secrets";
import { pick } from "../lifecycle/state";
import { marshal, unmarshal } from "./marshal";
import type { PluginProcess } from "./plugin-process";
import { failureOf } from "./resource-steps";
import { nameInToken } from "../define/token";

/** Calls a function of the catalog; faults of the arguments are told with their paths. */
export async function invoke(
  plugin: PluginProcess,
  request: proto.InvokeRequest,
): Promise<proto.InvokeResponse> {
  const definition = functionByName(nameInToken(request.getTok()));
  const { values, secretNames } = unmarshal(request.getArgs());
  plugin.keepSecret([...secretTexts(definition, values), ...textsIn(pick(values, secretNames))]);
  const response = new proto.InvokeResponse();
  const redaction = { redact: plugin.redact, isSecret: (name: string) => secretNames.has(name) };
  for (const { path, reason } of checkArguments(definition, values, redaction)) {
    // Of an argument the SDKs print the name alone, never the value.
    response.addFailures(failureOf({ property: plugin.redact(path), reason: plugin.redact(reason) }));
  }
  if (response.getFailuresList().length > 0) return response;
  const lines = plugin.open("");
  const result = await invokeFunction(plugin.runtime(lines), definition, values).finally(() => lines.end());
  plugin.keepSecret(secretTexts(definition, result));
  const wrapped = wrapSecrets(definition, result, asSecret);
  // What was asked with a secret may tell it.
  const names = new Set(secretNames.size === 0 ? [] : Object.keys(result));
  response.setReturn(marshal(keepSecrets(wrapped, names)));
  return response;
}

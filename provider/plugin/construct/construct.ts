import type { Resource } from "@pulumi/pulumi/resource";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { setAllConfig } from "@pulumi/pulumi/runtime/config";
import { serializeResourceProperties } from "@pulumi/pulumi/runtime/rpc";
import { resetOptions } from "@pulumi/pulumi/runtime/settings";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { nameInToken } from "../../define/token";
import { PluginComponent } from "./component";
import { failingTogether } from "./failures";
import { optionsOf } from "./options";
import { awaitFeatureSupport, deserializeInputs, waitForRPCs, withLocalStorage } from "./sdk-internals";

/**
 * Makes a component for a program in any language, as Pulumi's SDK does for components of its own: the component
 * registers its resources with the engine, which has this plugin make them.
 */
export function construct(
  request: proto.ConstructRequest,
  engineAddress: string | undefined,
): Promise<proto.ConstructResponse> {
  if (engineAddress === undefined) {
    throw new Error(
      "Pulumi's engine did not give its address, so no component can be made. Use a current pulumi CLI.",
    );
  }
  return failingTogether(() => withLocalStorage(() => constructed(request, engineAddress)));
}

async function constructed(
  request: proto.ConstructRequest,
  engineAddress: string,
): Promise<proto.ConstructResponse> {
  await connect(request, engineAddress);
  const args = await deserializeInputs(request.getInputs(), request.getInputdependenciesMap());
  const type = nameInToken(request.getType());
  const component = new PluginComponent(type, request.getName(), args, optionsOf(request));
  const response = new proto.ConstructResponse();
  response.setUrn(await urnOf(component));
  const [state, dependencies] = await serializeResourceProperties(
    `${type} ${request.getName()}`,
    component.outputs,
  );
  // What the SDK has serialized is what the protocol takes.
  response.setState(Struct.fromJavaScript(state as Record<string, JavaScriptValue>));
  for (const [property, resources] of dependencies) {
    const on = new proto.ConstructResponse.PropertyDependencies();
    on.setUrnsList(await Promise.all([...resources].map(urnOf)));
    response.getStatedependenciesMap().set(property, on);
  }
  await waitForRPCs();
  return response;
}

/** Tells the SDK of the run that the component is part of. */
async function connect(request: proto.ConstructRequest, engineAddress: string): Promise<void> {
  resetOptions(
    request.getProject(),
    request.getStack(),
    request.getParallel(),
    engineAddress,
    request.getMonitorendpoint(),
    request.getDryrun(),
    request.getOrganization(),
  );
  await awaitFeatureSupport();
  setAllConfig(Object.fromEntries(request.getConfigMap().entries()), request.getConfigsecretkeysList());
}

/** Resolves once the resource is registered. */
function urnOf(resource: Resource): Promise<string> {
  return new Promise((resolve) => {
    resource.urn.apply(resolve);
  });
}

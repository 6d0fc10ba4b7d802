import * as proto from "@pulumi/pulumi/proto/provider_pb";
import type { Alias } from "@pulumi/pulumi/proto/alias_pb";
import { Output, type Inputs } from "@pulumi/pulumi/output";
import {
  ComponentResource,
  CustomResource,
  DependencyProviderResource,
  DependencyResource,
  rootStackResource,
  type Alias as AliasOption,
  type ComponentResourceOptions,
  type CustomTimeouts,
  type Resource,
} from "@pulumi/pulumi/resource";
import { setAllConfig } from "@pulumi/pulumi/runtime/config";
import { serializeResourceProperties } from "@pulumi/pulumi/runtime/rpc";
import { resetOptions } from "@pulumi/pulumi/runtime/settings";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { isObject } from "../../spec/is-object";
import { shapeOf } from "../../spec/shape-of";
import { resourceByType } from "../catalog/catalog";
import { componentDefinitions, composeComponent } from "../components/components";
import type { ResourceFactory } from "../components/composition";
import { listMarkedFields } from "../define/markers";
import { parseToken, formatToken } from "../define/token";
import { keepAnswersOutOfDebugLog } from "../process/engine-log/quiet-debug-log";
import { VERSION } from "../core/version.generated";

/**
 * What Pulumi's SDK has for components of its own languages and does not declare. `test/engine/preview-environment.full.test.ts`
 * fails when a version of the SDK no longer has it.
 */
interface SdkServerModule {
  readonly deserializeInputs: (
    inputs: ReturnType<proto.ConstructRequest["getInputs"]>,
    dependencies: ReturnType<proto.ConstructRequest["getInputdependenciesMap"]>,
  ) => Promise<Inputs>;
}
interface SdkStateModule {
  /** What the SDK knows of the run, for the length of the call. */
  readonly withLocalStorage: <T>(work: () => Promise<T>) => Promise<T>;
}
interface SdkSettingsModule {
  readonly awaitFeatureSupport: () => Promise<void>;
  readonly waitForRPCs: () => Promise<void>;
}

/* oxlint-disable typescript/no-require-imports -- what is not declared cannot be imported */
const { deserializeInputs } = require("@pulumi/pulumi/provider/server") as SdkServerModule;
const { withLocalStorage } = require("@pulumi/pulumi/runtime/state") as SdkStateModule;
const { awaitFeatureSupport, waitForRPCs } = require("@pulumi/pulumi/runtime/settings") as SdkSettingsModule;
/* eslint-enable @typescript-eslint/no-require-imports */

keepAnswersOutOfDebugLog();

/** A resource of this package, which the engine has this very plugin make. */
class ComponentChild extends CustomResource {}

/** The engine has the timeouts of a component; those of its resources are the same. */
function createFactory(customTimeouts: CustomTimeouts | undefined): ResourceFactory {
  return (type, name, args, opts) => {
    const outputs: Inputs = Object.fromEntries(
      listMarkedFields(resourceByType(type).outputs).map(([output]) => [output, undefined]),
    );
    const own = customTimeouts === undefined ? opts : { ...opts, customTimeouts };
    return new ComponentChild(formatToken(type), name, { ...outputs, ...args }, { ...own, version: VERSION });
  };
}

/** A component that the engine has this plugin make for a program. */
class PluginComponent extends ComponentResource {
  readonly outputs: Readonly<Record<string, Output<unknown>>>;

  constructor(type: string, name: string, args: Inputs, opts: ComponentResourceOptions) {
    super(formatToken(type), name, {}, opts);
    const make = createFactory(opts.customTimeouts);
    this.outputs = composeComponent(type, { component: this, name, args, make });
    this.registerOutputs(this.outputs);
  }
}

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
      "The component cannot be created, because Pulumi's engine did not send its address. Use a current pulumi CLI.",
    );
  }
  return failTogether(() => withLocalStorage(() => constructComponent(request, engineAddress)));
}

async function constructComponent(
  request: proto.ConstructRequest,
  engineAddress: string,
): Promise<proto.ConstructResponse> {
  await connect(request, engineAddress);
  const type = parseToken(request.getType());
  const given = await deserializeInputs(request.getInputs(), request.getInputdependenciesMap());
  const args = await resolveMapNames(type, given);
  const component = new PluginComponent(type, request.getName(), args, toComponentOptions(request));
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

/**
 * The arguments with the names of maps that resources are made of: the engine hands on a map that holds a secret as a secret
 * as a whole.
 */
async function resolveMapNames(type: string, args: Inputs): Promise<Inputs> {
  const inputs = componentDefinitions.find((each) => each.type === type)?.inputs;
  const fields = inputs === undefined ? [] : listMarkedFields(inputs);
  const known = fields.map(async ([name, field, { secret }]) => {
    const value: unknown = args[name];
    if (shapeOf(field).kind !== "record" || secret === true || !Output.isInstance(value)) return [];
    const map = await (value as unknown as SdkOutput).promise(true);
    if (!isObject(map)) return [];
    const one = (key: string) => value.apply((all: unknown) => (isObject(all) ? all[key] : undefined));
    return [[name, Object.fromEntries(Object.keys(map).map((key) => [key, one(key)]))] as const];
  });
  return { ...args, ...Object.fromEntries((await Promise.all(known)).flat()) };
}

/** What the SDK has of an output and does not declare: its value, with marks in the place of what is unknown. */
interface SdkOutput {
  readonly promise: (withUnknowns: boolean) => Promise<unknown>;
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

/** The options of the component as its program gave them; the SDK hands on to its resources what they inherit. */
export function toComponentOptions(request: proto.ConstructRequest): ComponentResourceOptions {
  const parent = request.getParent();
  const deletedWith = request.getDeletedwith();
  const customTimeouts = timeoutsOf(request);
  const providers = [...request.getProvidersMap().entries()].map(
    ([name, reference]) => [name, new DependencyProviderResource(reference)] as const,
  );
  return {
    aliases: request.getAliasesList().map(aliasOf),
    dependsOn: request.getDependenciesList().map((urn) => new DependencyResource(urn)),
    providers: Object.fromEntries(providers),
    ignoreChanges: request.getIgnorechangesList(),
    replaceOnChanges: request.getReplaceonchangesList(),
    ...(customTimeouts === undefined ? {} : { customTimeouts }),
    ...(parent === "" ? {} : { parent: new DependencyResource(parent) }),
    ...(deletedWith === "" ? {} : { deletedWith: new DependencyResource(deletedWith) }),
    protect: request.getProtect() === true,
    retainOnDelete: request.getRetainondelete() === true,
  };
}

function timeoutsOf(request: proto.ConstructRequest): CustomTimeouts | undefined {
  const all = request.getCustomtimeouts();
  const steps = { create: all?.getCreate(), update: all?.getUpdate(), delete: all?.getDelete() };
  const given = Object.entries(steps).filter(([, text]) => text !== undefined && text !== "");
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

function aliasOf(alias: Alias): AliasOption | string {
  const spec = alias.getSpec();
  if (spec === undefined) return alias.getUrn();
  const [name, type, project, stack] = [spec.getName(), spec.getType(), spec.getProject(), spec.getStack()];
  const parentUrn = spec.getParenturn();
  return {
    ...(name === "" ? {} : { name }),
    ...(type === "" ? {} : { type }),
    ...(project === "" ? {} : { project }),
    ...(stack === "" ? {} : { stack }),
    ...(parentUrn === "" ? {} : { parent: parentUrn }),
    ...(spec.getNoparent() ? { parent: rootStackResource } : {}),
  };
}

const waiting = new Set<(error: Error) => void>();
let hasFailed = false;
let isListening = false;

/**
 * Runs what the SDK does partly in the background: what fails there, such as a resource that the engine could not make or a
 * value that turns out wrong, fails the work. It is not known of which, so all that is under way fails, as it does in the SDK.
 */
async function failTogether<T>(work: () => Promise<T>): Promise<T> {
  listen();
  let fail: (error: Error) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  waiting.add(fail);
  try {
    return await Promise.race([work(), failed]);
  } catch (error) {
    hasFailed = true;
    throw error;
  } finally {
    waiting.delete(fail);
  }
}

function listen(): void {
  if (isListening) return;
  isListening = true;
  process.on("unhandledRejection", (reason) => {
    const error = reason instanceof Error ? reason : new Error(String(reason));
    // What follows from a failure that has been reported is no news; anything else ends the process, as it would without this.
    if (waiting.size === 0 && !hasFailed) throw error;
    for (const fail of waiting) fail(error);
  });
}

import * as pulumi from "@pulumi/pulumi";
import { InvalidInputError } from "../client/errors/errors";
import { formatToken } from "../define/token";
import { listSecretInputs } from "./secret-inputs";

/** What the generated functions know of themselves. */
export interface FunctionShape {
  readonly name: string;
  readonly hasSecrets: boolean;
}

/** Runs a function in the program's own process, or has Pulumi's mocks answer it. */
export async function callFunction<R>(
  shape: FunctionShape,
  args: object,
  opts: pulumi.InvokeOptions = {},
): Promise<R> {
  return call(shape, args, opts, []);
}

async function call<R>(
  { name }: FunctionShape,
  args: object,
  opts: pulumi.InvokeOptions,
  secretNames: readonly string[],
): Promise<R> {
  refuseProvider(name, opts);
  // The function's own schemas are what the result's type is generated from.
  if (isMocked()) return (await pulumi.runtime.invoke(formatToken(name), { ...args }, opts)) as R;
  const done = pulumi.runtime.rpcKeepAlive();
  try {
    return (await loadRuntime().runFunction(name, { ...args }, secretNames)) as R;
  } finally {
    done();
  }
}

/** As `callFunction`, once the arguments are known; a preview in which they are not leaves the result unknown. */
export function callFunctionOutput<R>(
  shape: FunctionShape,
  args: object,
  opts: OutputInvokeOptions = {},
): pulumi.Output<R> {
  const answer = (): pulumi.Output<R> => {
    const { dependsOn, ...others } = opts;
    return resolveArguments({ ...args }, dependsOn).apply(async (known) =>
      call<R>(shape, known, others, await listSecretInputs({ ...args })),
    );
  };
  // A result holds no outputs that `secret` would unwrap.
  return shape.hasSecrets ? (pulumi.secret(answer()) as pulumi.Output<R>) : answer();
}

/** Whether the program runs in a unit test with `pulumi.runtime.setMocks`, whose monitor holds the mocks. */
function isMocked(): boolean {
  const monitor = pulumi.runtime.getMonitor();
  return monitor !== undefined && "mocks" in monitor;
}

function refuseProvider(name: string, { provider }: pulumi.InvokeOptions): void {
  if (provider === undefined) return;
  throw new InvalidInputError(
    "provider",
    `${name} runs in the program itself, with the environment's or the stack's configuration \`management:*\`, ` +
      "and takes no `provider`: omit it, or use the generated SDK of the plugin.",
  );
}

/** Loaded by the first call: a program that calls no function needs neither schemas nor HTTP client. */
function loadRuntime(): typeof import("./functions-runtime") {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load it at the start
  return require("./functions-runtime") as typeof import("./functions-runtime");
}

type ArgumentValues = Record<string, unknown>;

// What the SDK itself uses to the same end and leaves out of its types; without it less is waited for.
interface OutputWithResources {
  readonly allResources?: () => Promise<Iterable<pulumi.Resource>>;
}
interface ResourceWithChildren {
  readonly __childResources?: Iterable<pulumi.Resource>;
}

/** Options of a function that takes outputs; the older versions of Pulumi's SDK have no such type. */
export interface OutputInvokeOptions extends pulumi.InvokeOptions {
  /** Resources that must be there before the function is called. */
  readonly dependsOn?: pulumi.Input<pulumi.Input<pulumi.Resource>[]> | pulumi.Input<pulumi.Resource>;
}

/**
 * The arguments, nested ones included, once they are known. In a preview they stay unknown as long as a resource that
 * they come from, or that `dependsOn` names, is not there yet: what is asked for could not be there either.
 */
export function resolveArguments(
  args: ArgumentValues,
  dependsOn: OutputInvokeOptions["dependsOn"],
): pulumi.Output<ArgumentValues> {
  const values = pulumi.output(args);
  const sources = pulumi.output(resourcesOf(values)).apply(collectIds);
  const given: pulumi.Output<unknown> = pulumi.output(dependsOn);
  const others = given.apply((resources) => collectIds([resources].flat().filter(isResource)));
  // The outputs within the arguments are resolved by then, so their types are those of plain values.
  return pulumi.all([values, sources, others]).apply(([known]) => known as ArgumentValues);
}

async function resourcesOf(output: pulumi.Output<unknown>): Promise<pulumi.Resource[]> {
  const { allResources } = output as OutputWithResources;
  return allResources === undefined ? [] : [...(await allResources())];
}

/** The ids of custom resources, and of those within components; an id is known once its resource is there. */
function collectIds(resources: Iterable<unknown>): pulumi.Output<string[]> {
  const custom = new Set<pulumi.CustomResource>();
  const seen = new Set<unknown>();
  const walk = (resource: unknown): void => {
    if (seen.has(resource)) return;
    seen.add(resource);
    if (pulumi.CustomResource.isInstance(resource)) custom.add(resource);
    else for (const child of (resource as ResourceWithChildren).__childResources ?? []) walk(child);
  };
  for (const resource of resources) walk(resource);
  return pulumi.output([...custom].map(({ id }) => id));
}

function isResource(value: unknown): value is pulumi.Resource {
  return pulumi.Resource.isInstance(value);
}

import * as pulumi from "@pulumi/pulumi";

type Values = Record<string, unknown>;

// What the SDK itself uses to the same end and leaves out of its types; without it less is waited for.
interface WithResources {
  readonly allResources?: () => Promise<Iterable<pulumi.Resource>>;
}
interface WithChildren {
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
export function knownArguments(
  args: Values,
  dependsOn: OutputInvokeOptions["dependsOn"],
): pulumi.Output<Values> {
  const values = pulumi.output(args);
  const sources = pulumi.output(resourcesOf(values)).apply(idsOf);
  const given: pulumi.Output<unknown> = pulumi.output(dependsOn);
  const others = given.apply((resources) => idsOf([resources].flat().filter(isResource)));
  // The outputs within the arguments are resolved by then, so their types are those of plain values.
  return pulumi.all([values, sources, others]).apply(([known]) => known as Values);
}

async function resourcesOf(output: pulumi.Output<unknown>): Promise<pulumi.Resource[]> {
  const { allResources } = output as WithResources;
  return allResources === undefined ? [] : [...(await allResources())];
}

/** The ids of custom resources, and of those within components; an id is known once its resource is there. */
function idsOf(resources: Iterable<unknown>): pulumi.Output<string[]> {
  const custom = new Set<pulumi.CustomResource>();
  const seen = new Set<unknown>();
  const walk = (resource: unknown): void => {
    if (seen.has(resource)) return;
    seen.add(resource);
    if (pulumi.CustomResource.isInstance(resource)) custom.add(resource);
    else for (const child of (resource as WithChildren).__childResources ?? []) walk(child);
  };
  for (const resource of resources) walk(resource);
  return pulumi.output([...custom].map(({ id }) => id));
}

function isResource(value: unknown): value is pulumi.Resource {
  return pulumi.Resource.isInstance(value);
}

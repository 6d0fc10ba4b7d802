import type { Input, Inputs, Output } from "@pulumi/pulumi/output";
import type { ComponentResource, CustomResource, CustomResourceOptions } from "@pulumi/pulumi/resource";

/** Makes a resource of this package; each adapter has its own way. */
export type ResourceFactory = (
  type: string,
  name: string,
  args: Inputs,
  opts: CustomResourceOptions,
) => CustomResource;

/** A component that is being made. */
export interface Composition<I> {
  readonly component: ComponentResource;
  /** Of the component in the program; those of its resources begin with it. */
  readonly name: string;
  readonly args: { readonly [K in keyof I]: Input<NonNullable<I[K]>> | Exclude<I[K], NonNullable<I[K]>> };
  readonly make: ResourceFactory;
}

/** An output of a resource that was made, by its name in the resource's definition. */
export function getOutput<T>(resource: CustomResource, name: string): Output<T> {
  // Every adapter makes resources with all outputs of their definition.
  return Reflect.get(resource, name) as Output<T>;
}

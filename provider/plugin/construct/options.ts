import type { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import type { Alias } from "@pulumi/pulumi/proto/alias_pb";
import {
  DependencyProviderResource,
  DependencyResource,
  rootStackResource,
  type Alias as AliasOption,
  type ComponentResourceOptions,
} from "@pulumi/pulumi/resource";

/** The options of the component as its program gave them; the SDK hands on to its resources what they inherit. */
export function optionsOf(request: ConstructRequest): ComponentResourceOptions {
  const parent = request.getParent();
  const deletedWith = request.getDeletedwith();
  const providers = [...request.getProvidersMap().entries()].map(
    ([name, reference]) => [name, new DependencyProviderResource(reference)] as const,
  );
  return {
    aliases: request.getAliasesList().map(aliasOf),
    dependsOn: request.getDependenciesList().map((urn) => new DependencyResource(urn)),
    providers: Object.fromEntries(providers),
    ignoreChanges: request.getIgnorechangesList(),
    replaceOnChanges: request.getReplaceonchangesList(),
    ...(parent === "" ? {} : { parent: new DependencyResource(parent) }),
    ...(deletedWith === "" ? {} : { deletedWith: new DependencyResource(deletedWith) }),
    protect: request.getProtect() === true,
    retainOnDelete: request.getRetainondelete() === true,
  };
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

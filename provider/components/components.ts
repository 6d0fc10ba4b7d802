import type { Output } from "@pulumi/pulumi/output";
import type { ComponentDefinition } from "../define/component";
import { checkArguments } from "./check-arguments";
import type { Composition } from "./composition";
import { composePreview } from "./preview-environment/compose";
import { previewEnvironment } from "./preview-environment/preview-environment";

interface ComponentEntry {
  readonly definition: ComponentDefinition;
  /** Takes arguments that have passed the definition's checks. */
  readonly compose: (composed: never) => Readonly<Record<string, Output<unknown>>>;
}

const components: readonly ComponentEntry[] = [{ definition: previewEnvironment, compose: composePreview }];

/** The definitions of all components. */
export const componentDefinitions = components.map(({ definition }) => definition);

/** Makes all that belongs to a component; returns its outputs. */
export function composeComponent(
  type: string,
  composed: Composition<Record<string, unknown>>,
): Readonly<Record<string, Output<unknown>>> {
  const found = components.find(({ definition }) => definition.type === type);
  if (found === undefined) {
    const known = componentDefinitions.map((each) => each.type).join(", ");
    throw new Error(`pulumi-management has no component ${type}; it has ${known}.`);
  }
  const args = checkArguments(found.definition, composed.name, composed.args);
  // The check has made them what this component takes.
  return found.compose({ ...composed, args } as never);
}

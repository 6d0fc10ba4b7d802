import { z } from "zod";
import { listMarkedFields, settingsOf } from "./markers";
import type { AnyResource } from "./resource";
import { everyResource } from "./shared-inputs";

/** A kind of component: its schemas. What it makes stands beside it, as only the adapters can make resources. */
export interface ComponentDefinition {
  /** Pulumi type name, as `PreviewEnvironment`. */
  readonly type: string;
  readonly description: string;
  readonly inputs: z.ZodObject;
  readonly outputs: z.ZodObject;
  /** Types of the resources that it makes, some of them only where they are declared. */
  readonly makes: readonly string[];
  /** What whoever declares it can always do, and what that loses, as the end of "To start over, …". */
  readonly startOver: string;
  /** How a program declares what these take, by their types. */
  readonly passes?: Readonly<Record<string, PassedInputs>>;
}

/** The component's inputs by those of a resource, or the one within which every input of the resource is. */
export interface PassedInputs {
  readonly inputs?: Readonly<Record<string, string>>;
  readonly every?: string;
}

/** Keeps the types of the schemas. */
export function defineComponent<IS extends z.ZodObject, OS extends z.ZodObject>(
  definition: ComponentDefinition & { readonly inputs: IS; readonly outputs: OS },
): ComponentDefinition & { readonly inputs: IS; readonly outputs: OS } {
  return definition;
}

/** An input of a component that is all that a program can say of a resource, but where it is. */
export function createSettingsSchema(
  { type, inputs }: Pick<AnyResource, "type" | "inputs">,
  about: { readonly id: string; readonly description: string },
): z.ZodObject {
  const settings = listMarkedFields(inputs).filter(
    ([name, , { computed, dynamicOnly }]) =>
      name !== "projectRef" && !(name in everyResource) && computed !== true && dynamicOnly !== true,
  );
  const shape = Object.fromEntries(settings.map(([name, field]) => [name, field]));
  return settingsOf(z.strictObject(shape).meta(about), type);
}

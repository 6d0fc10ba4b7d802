import type { z } from "zod";
import type { Values } from "../../provider/lifecycle/state";
import type { Scenario } from "./scenario";

/** One resource of a type: how a program declares it, changes it, and where the service shows it. */
export interface Sample<I = Values> {
  readonly type: string;
  readonly inputs: (projectRef: string) => I;
  /** The same resource with a change that is made in place. */
  readonly changed: (projectRef: string) => I;
  /** What of this sample exists on the service, as the service itself shows it. */
  readonly onService: (scenario: Scenario, projectRef: string) => unknown[];
  /** How a shown object must differ after the change. */
  readonly isChanged: (shown: unknown) => boolean;
  readonly needsProject: boolean;
  readonly prepare?: (scenario: Scenario, projectRef: string) => void;
}

/** A sample of one definition: `SampleOf<typeof apiKey>`. Inputs that it does not have do not compile. */
export type SampleOf<D extends { readonly inputs: z.ZodObject }> = Sample<z.input<D["inputs"]>>;

/** A field of what the service shows, whatever that is. */
export function field(shown: unknown, name: string): unknown {
  return typeof shown === "object" && shown !== null ? Reflect.get(shown, name) : undefined;
}

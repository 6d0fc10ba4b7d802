import type { z } from "zod";
import type { State } from "../../emulator/world/state";
import type { Values } from "../../provider/lifecycle/state";
import type { Scenario } from "./scenario";

export { field } from "../../tools/field";

/** One resource of a type: how a program declares it, changes it, and where the service shows it. */
export interface Sample<I = Values> {
  readonly type: string;
  readonly inputs: (projectRef: string) => I;
  /** The same resource with a change that is made in place. */
  readonly changed: (projectRef: string) => I;
  /** What of this sample exists on the service, as the service itself shows it. */
  readonly onService: (scenario: Scenario, projectRef: string) => unknown[] | Promise<unknown[]>;
  /** How a shown object must differ after the change. */
  readonly isChanged: (shown: unknown) => boolean;
  /** For a configuration of two values: the change brings back the one that was found, so that nothing shows any more. */
  readonly changesBack?: true;
  readonly needsProject: boolean;
  /** An object within a database, which only `onService` finds. */
  readonly isInDatabase?: true;
  /** Its import id, where that does not end with the id. */
  readonly importId?: (projectRef: string) => string;
  readonly prepare?: (scenario: Scenario, projectRef: string) => void;
  /**
   * What has no update: the inputs that a replacement follows when they are edited by hand, none where it can only be
   * removed, or nothing else that is done to it is followed. `changed` is `inputs` then.
   */
  readonly replacedBy?: readonly string[];
  /** What its change did cannot be taken back: a program that declares `inputs` after it is refused. */
  readonly isIrreversible?: true;
  /** What it acts on is a state of the project that other samples could not live in. */
  readonly needsOwnProject?: true;
  /** Types that the service does not let a project have beside it. */
  readonly excludes?: readonly string[];
  /** What the user does elsewhere once the resource is made, as with the DNS. */
  readonly afterCreate?: (scenario: Scenario, projectRef: string) => void;
  /** No delete removes it: takes away, past this provider, what a delete leaves on the service. */
  readonly cleanUp?: (scenario: Scenario, projectRef: string) => void | Promise<void>;
  /** A change that somebody makes on the service, past this provider, to the changed resource; absent where none would show. */
  readonly editOutside?: (state: State, projectRef: string) => void;
  /** The properties that hold a secret, named once more by hand; of a group by path, as `smtp.password`. */
  readonly secrets?: readonly string[];
  /** Secret inputs beside `inputs` and `changed`. */
  readonly secretInputs?: Values;
  /** Absent for a configuration, which every project has: what of it is declared shows in its settings. */
  readonly objects?: Objects;
}

/** All objects of a type on the service, past the provider. */
export interface Objects {
  /** Identifiers of all such objects of a project, whoever made them, as the provider's ids are. */
  readonly ids: (scenario: Scenario, ref: string) => string[];
  /** One object as the service shows it. */
  readonly show: (scenario: Scenario, ref: string, id: string) => unknown;
  /** Somebody else makes one. */
  readonly make?: (scenario: Scenario, ref: string, count: number) => unknown;
  /** Somebody else removes one. */
  readonly remove?: (scenario: Scenario, ref: string, id: string) => unknown;
}

/** A sample of one definition: `SampleOf<typeof apiKey>`. Inputs that it does not have do not compile. */
export type SampleOf<D extends { readonly inputs: z.ZodObject }> = Sample<z.input<D["inputs"]>>;

/** Whether the service shows the sample as it is after its change. */
export function isAsChanged({ changesBack, isChanged }: Sample, shown: readonly unknown[]): boolean {
  return shown.length === (changesBack === true ? 0 : 1) && shown.every(isChanged);
}

/** How often the service shows the sample once it is deleted. */
export function countAfterDelete({ cleanUp }: Sample): 0 | 1 {
  return cleanUp === undefined ? 0 : 1;
}

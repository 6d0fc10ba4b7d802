import type { z } from "zod";
import { InvalidInputError } from "../client/errors/errors";
import type { Problems } from "../client/errors/problem";
import type { Context, InheritedPart } from "./context";
import type { ObjectLister } from "./list";
import type { PlanWords } from "./plan-words";

/** Seconds that each step may take when the program does not say otherwise. */
export interface DefaultTimeouts {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
}

/** A fault of the given inputs; `path` is the property, as `a.b[0]`. */
export interface CheckFailure {
  readonly path: string;
  readonly reason: string;
}

/** Outputs as an answer shows them: a program relies on what is required, and an answer may lack any of it. */
export type ShownOutputs<O> = { readonly [K in keyof O]?: ShownValue<O[K]> | undefined };

type ShownValue<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? string extends keyof T
      ? T
      : ShownOutputs<T>
    : T;

/** What the service shows of a resource. */
export interface ObservedResource<I, O> {
  /** Inputs as the service has them: `null` for one that is not set there; absent for one that cannot be read. */
  readonly inputs: { readonly [K in keyof I]?: I[K] | null | undefined };
  readonly outputs: ShownOutputs<O>;
}

export interface CreationResult<I, O> extends Partial<ObservedResource<I, O>> {
  /** The service's own identifier of the new resource. */
  readonly id: string;
}

/** One of the named things that a set consists of. */
export interface SetPart {
  /** When it was made or last written, ISO 8601, where the service gives it. */
  readonly createdAt: string | undefined;
  /** Its name, where it is not what was sent. */
  readonly unlike?: string | undefined;
}

/** An existing object that has the identity which the inputs declare. */
export interface ObjectCandidate {
  readonly id: string;
  /** How a user recognises it: name, creation time. */
  readonly label: string;
  /** When it was made, ISO 8601, where the service gives it. */
  readonly createdAt?: string | undefined;
  /** Of a set, what of it is there: each part has its own time, and the set has none. */
  readonly parts?: readonly SetPart[];
  /** Surely not what a create with these inputs made. */
  readonly isDifferentObject?: boolean;
  /** False for one that a create does not collide with: it is listed only to be recognised after an unclear outcome. */
  readonly collides?: boolean;
}

/**
 * A collection of the project that resources of several types manage: one program cannot have a resource for the `whole` of
 * it and others for a `part`, as the first removes what the others add, nor two for parts that have a name in common.
 */
export interface ManagedCollection<I = unknown> {
  /** As users call it: "network restrictions". */
  readonly collection: string;
  readonly extent: "whole" | "part";
  /** The input that, when true, makes the part the whole. */
  readonly wholeBy?: keyof I & string;
  /** What the part consists of, by inputs or a state: no two resources of a program can have the same. Some may be unknown. */
  names?(values: Partial<I>): readonly string[];
  /** The objects as which a name of the collection may be on record, whichever type of resource has it. */
  recordedAs?(
    projectRef: string,
    name: string,
  ): readonly {
    readonly type: string;
    readonly scope: string;
    readonly id: string;
  }[];
}

/** Things of a collection that a new project came with, by name. */
export interface Inheritance {
  readonly collection: string;
  readonly parts: Readonly<Record<string, InheritedPart>>;
}

/** What a resource adds to the comparison of its inputs. */
export interface ResourceDiff<Output extends string = string> {
  /** What is declared and cannot be done to the object that is there. A replacement is made without these. */
  readonly failures?: readonly CheckFailure[];
  /** What an update will do beside the differences that a preview lists. */
  readonly notes?: readonly string[];
  /** Outputs that an update renews although nothing that is declared changed, as credentials that expire. */
  readonly renewed?: readonly Output[];
  /**
   * Inputs taken out of the program whose values stay on the service although an update handles their removal, by path. Asked only
   * where something was taken out.
   */
  listStaying?(): readonly string[];
}

/** The input by which a program refuses or allows to delete and replace an object. */
export const PROTECTION_INPUT = "deletionProtection";

/** What `deletionProtection` means for a type. Declared, `true` refuses a delete and a replacement, and `false` allows both. */
export interface Protection<S> {
  /** Whether it is on for what was adopted or imported, where a program leaves it out. */
  readonly isOnIfAdopted: boolean;
  /** Whether the object holds data by this state: only `deletionProtection: false` in the state then allows a replacement. No network. */
  holdsData(state: S): boolean;
}

/** State as remembered: inputs as declared, outputs as last seen; any of it may be missing in a half-made resource. */
export type ResourceState<I, O> = Partial<I> & ShownOutputs<O>;

export interface ExistingResource<I, O> {
  readonly id: string;
  readonly state: ResourceState<I, O>;
}

/** What is read. */
export interface ReadTarget<I, O> extends ExistingResource<I, O> {
  /** A refresh asks whether what is declared is still so. What it answers is the base of no write. */
  readonly isRefresh?: true;
}

export interface ResourceUpdate<I, O> extends ExistingResource<I, O> {
  readonly inputs: I;
  /** The inputs whose declared value differs from the remembered one. */
  readonly changed: ReadonlySet<keyof I & string>;
}

// Methods, not function properties: so that a definition of known fields is assignable to `AnyResource`.
/** A kind of resource: its schemas and its handlers. An absent capability is an absent key. */
export interface ResourceDefinition<I = unknown, O = unknown> {
  /** Pulumi type name, as `ApiKey`. */
  readonly type: string;
  readonly description: string;
  readonly inputs: z.ZodObject;
  readonly outputs: z.ZodObject;
  /**
   * Properties of the state that no program sees: their names begin with `__`. They come with the outputs: one that a `read` or a
   * `settle` does not return ends, and one that an `update` does not return stays until then.
   */
  readonly bookkeeping?: z.ZodObject;
  readonly timeouts: DefaultTimeouts;
  /** The import id and how it is taken apart: `projectRef/id`. */
  readonly importId: ImportId<I>;
  /** Lists what can be imported; what every project has at most one of needs none. */
  readonly list?: ObjectLister;
  /** What the reference says of adoption, where an object that exists already does not make a create fail. */
  readonly adoption?: string;
  /** What can go wrong with it besides what can with every resource. */
  readonly problems?: Problems | undefined;
  /**
   * The inputs that name the object within its project or organization, none for what a project has once. Two resources
   * of one program cannot share them, and a replacement that keeps them all deletes first.
   */
  readonly uniqueBy?: readonly (keyof I & string)[];
  readonly manages?: ManagedCollection<I> | undefined;
  /**
   * What the object came with when the program created it, of a collection that other resources manage: they take it over at their
   * creation. By the state alone; `idOutput` is the project that has it.
   */
  inherits?(state: ResourceState<I, O>): Inheritance | undefined;
  /** The input that, when true, allows a second object of the same identity. */
  readonly allowsDuplicatesBy?: keyof I & string;
  /** What its input `deletionProtection` means; absent where it has no such input. */
  readonly protection?: Protection<ResourceState<I, O>>;
  /**
   * Whether the object was, or may have been, moved by this program to where the access token does not reach: a 404 then proves nothing of it
   * and of what is in it. By the state alone.
   */
  mayBeOutOfSight?(state: ResourceState<I, O>): boolean;
  /** The property that names the object in messages, where it is not the last of `uniqueBy`. */
  readonly labelledBy?: (keyof I | keyof O) & string;
  /**
   * Several resources may each manage a part of the object: what of a state they must know of each other, without
   * secrets. Another's delete then takes back its own part only; otherwise it leaves the object to whoever has it now.
   */
  shares?(state: ResourceState<I, O>): Readonly<Record<string, unknown>>;
  /** Brings a state that an earlier version wrote into today's form. */
  upgrade?(state: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /**
   * What the resource adds to the comparison of the declared inputs with the state, by these and the clock alone; no network.
   * Unknown fields are absent from `inputs`.
   */
  diff?(state: ResourceState<I, O>, inputs: Partial<I>, nowMs: number): ResourceDiff<keyof O & string>;
  /** Why no replacement may take the object as this state has it, and what to do instead: sentences. No network. */
  explainKept?(state: ResourceState<I, O>): string | undefined;
  /** Whether a replacement within the same project can only delete first, by what is remembered and declared; no network. */
  deletesFirst?(state: ResourceState<I, O>, inputs: Partial<I>): boolean;
  /** What a plan says of inputs that are hashes, or were read of files and folders. */
  readonly plan?: PlanWords<ResourceState<I, O>, I>;
  /** Which of the inputs that are never shown the object surely does not have, by what it shows otherwise; no network. */
  contradicts?(state: ResourceState<I, O>, inputs: Partial<I>): readonly (keyof I & string)[];
  /** The output that equals the Pulumi id: a program's reference to it stays known while an update is previewed. */
  readonly idOutput?: keyof O & string;
  /**
   * Whether the service makes a second object with these inputs where the request arrives twice: the create then looks for it once
   * more at its end, and warns of it.
   */
  createsDuplicates?(inputs: I): boolean;
  /** Creating it a second time makes no second object, as its id is its name; a function where that depends on the inputs. */
  readonly isRepeatable?: true | ((inputs: Partial<I>) => boolean);
  /** Inputs that `settle` brings about: a new object does not have them yet. */
  readonly notSentByCreate?: readonly (keyof I & string)[];
  /** Something that is done once, and again when an input changes, not an object that is kept as declared. */
  readonly isAction?: true;
  /** A delete leaves the object on the service, so that a replacement of the same identity finds it there. */
  readonly deleteLeavesObject?: true;
  /** Others can put another object under its id: a delete reads it first, and leaves what is another one. */
  readonly comparesBeforeDelete?: true;
  /** Every input taken out of the program is a change that `update` handles, as it is of those marked `resets`. */
  readonly unsetsRemovedInputs?: true;
  /**
   * Further rules over several fields, and computed inputs; no network. Unknown fields are absent from `inputs`;
   * `before` are the inputs of a resource that exists already.
   */
  check?(
    inputs: Partial<I>,
    isUnknown: (name: keyof I & string) => boolean,
    before?: Readonly<Record<string, unknown>>,
    installation?: Installation,
  ): CheckResult<I>;
  /** Existing objects that have the declared identity: for adoption, against duplicates, after an ambiguous create. */
  find?(ctx: Context, inputs: I): Promise<readonly ObjectCandidate[]>;
  /** Inputs that an import takes over by calls of its own, which a refresh does not make. */
  readForImport?(ctx: Context, target: ExistingResource<I, O>): Promise<Partial<I>>;
  /** What the service has now; undefined or a NotFoundError when it says that the resource is gone. */
  read(ctx: Context, target: ReadTarget<I, O>): Promise<ObservedResource<I, O> | undefined>;
  /** Makes the resource and returns as soon as the service has answered with its id; waiting belongs to `settle`. */
  create(ctx: Context, inputs: I): Promise<CreationResult<I, O>>;
  /**
   * Brings the resource from wherever it is to the declared state and waits until it can be used; runs after create,
   * after update and when an interrupted run is resumed, so every step in it must be safe to repeat.
   */
  settle?(
    ctx: Context,
    target: ExistingResource<I, O> & { readonly inputs: I },
  ): Promise<ObservedResource<I, O>>;
  update?(ctx: Context, change: ResourceUpdate<I, O>): Promise<Partial<ObservedResource<I, O>>>;
  /** Removes the resource and waits until it is gone; what is gone already is a success. */
  delete(ctx: Context, target: ExistingResource<I, O>): Promise<void>;
}

/** What a names file says of the installation, as far as inputs are judged by it. */
export interface Installation {
  /** Beginning of the names of environment variables that are the service's own. */
  readonly reservedPrefix: string;
}

export interface CheckResult<I> {
  readonly failures?: readonly CheckFailure[];
  /** What is reported to the user though nothing is at fault; no secret is in it. */
  readonly warnings?: readonly string[] | undefined;
  /** The same where it asks for nothing. */
  readonly notes?: readonly string[] | undefined;
  /** Values of fields marked `computed()`. */
  readonly computed?: Partial<I>;
}

export interface ImportId<I> {
  /** As shown to users: `<projectRef>/<id>`. */
  readonly format: string;
  /** Where a user finds its last part. */
  readonly whereFound: string;
  /** Why none can be imported. */
  readonly refusal?: string;
  /** Why what can be imported cannot be listed, as a clause with a full stop. */
  readonly unlisted?: string;
  /** It is the reference of the project, which has no more than one. */
  readonly isProjectRef?: true;
  /** An example of its last part, where that is no UUID. */
  readonly example?: string;
  /** Optional inputs that an import declares, besides those that only a replacement could change. */
  readonly alsoDeclares?: readonly (keyof I & string)[];
  /** What of the inputs that were read an import declares, where it is less than all of these. */
  declares?(observed: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /** Inputs that a read shows only where the state has them, as each costs a call. */
  readonly readsIfDeclared?: readonly (keyof I & string)[];
  /** Inputs that are not on the service and without which `check` refuses what is there. */
  consents?(observed: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /** What an import does not declare, as a sentence for whoever imports. */
  readonly leavesOut?: string;
  /** The parts of an import id: the resource's own id and the inputs it implies; undefined when it does not fit. */
  parse(importId: string): { id: string; inputs: Partial<I> } | undefined;
}

/** Checks a definition against its own schemas at compile time. */
export function defineResource<IS extends z.ZodObject, OS extends z.ZodObject>(
  definition: Omit<ResourceDefinition<z.output<IS>, z.output<OS>>, "inputs" | "outputs"> & {
    inputs: IS;
    outputs: OS;
  },
): ResourceDefinition<z.output<IS>, z.output<OS>> & { inputs: IS; outputs: OS } {
  return definition;
}

/** Any definition, as `provider/engine` and the adapters handle it: field values are only looked at through the schemas. */
export type AnyResource = ResourceDefinition<Record<string, unknown>, Record<string, unknown>>;

/** A delete found nothing to delete: a listing is without the object, which in a project that is not active proves nothing. */
export class NotListedError extends Error {}

/** What the service has, and no program can declare: an import leaves it out. */
export class NotDeclarableError extends InvalidInputError {}

/** A step failed after it had done a part: what there is now is kept in state, and the next run goes on from it. */
export class PartialError extends Error {
  constructor(
    readonly seen: Partial<ObservedResource<Record<string, unknown>, Record<string, unknown>>>,
    override readonly cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause));
  }
}

import type { ManagementClient, Parts } from "../client";
import type { Clock } from "../client/clock";
import type { OperationName } from "../../spec/table";
import type { Listings } from "./listings";
import type { StepLimits, SharedCalls } from "./shared-calls";

/**
 * The Management API, bound to the signal and the deadline of one step: `ctx.api.getProject({ ref })`. Collections are
 * read whole, so that no handler pages by hand or takes half of one for all.
 */
export type Api = {
  readonly [N in Exclude<OperationName, `list${string}`>]: (
    ...args: [Parameters<ManagementClient[N]>[0]]
  ) => ReturnType<ManagementClient[N]>;
} & Listings & {
    readonly parts: BoundParts;
    /** The address of an operation that a person opens in a browser. */
    readonly addressOf: ManagementClient["addressOf"];
    /** How this installation names a schema of a project's database. */
    readonly schemaNamed: ManagementClient["schemaNamed"];
    /** Beginning of the names of environment variables that are the installation's own. */
    readonly reservedPrefix: ManagementClient["reservedPrefix"];
    /** Reads what every project has, so that its 404 means something only where the project itself is gone. */
    readonly ofEveryProject: <T>(ref: string, read: () => Promise<T>) => Promise<T>;
  };

/** Answers that come in parts, taken apart. */
type BoundParts = {
  readonly [N in keyof Parts]: (parameters: Parameters<Parts[N]>[0]) => ReturnType<Parts[N]>;
};

/** A write that must not happen twice. */
export interface SingleWrite {
  readonly ctx: Context;
  /** Whether an object of this time of creation was made while the write was under way; undefined where no time is given. */
  readonly isMadeMeanwhile: (createdAt: string | undefined) => boolean | undefined;
}

/** A thing that a new project came with: which one it is, and as what, where it was not changed since. */
export interface InheritedPart {
  readonly id: string;
  readonly version: string;
}

/** What the ledger knows of the object of a step, and keeps of it. */
export interface ObjectLedger {
  /**
   * Keeps what a later run must know of the object, were this one to die now: to be called before the write after which
   * it could not be found out any more.
   */
  readonly keep: (id: string, outputs: Readonly<Record<string, unknown>>) => void;
  /** What a run that died kept of the object and the engine has not recorded; empty otherwise. */
  readonly kept: Readonly<Record<string, unknown>>;
  /** What other resources of the same object tell, for those who may share one; the latest is the last. */
  readonly otherOwners: readonly Readonly<Record<string, unknown>>[];
  /** Whether the object existed before Pulumi had it, and this step or an earlier one took it over. */
  readonly isAdopted: boolean;
  /** Throws where the service at another address made the object, so that an answer of this one proves nothing of it. */
  readonly requireOwnService: () => void;
}

/**
 * What this run knows of the program beside the resource of a step. Names of a collection can go from one resource of the program
 * to another, whichever of the two steps runs first.
 */
export interface ProgramView {
  /** Names of the collection that other resources of the program declare, as far as this run has seen. */
  readonly listNamesElsewhere: () => ReadonlySet<string>;
  /**
   * Whether another resource of the program has had the name: `shown` by the state that the engine has of it, or as that
   * resource left it to this one; `recorded` by an earlier run on this machine, which may not be the latest.
   */
  readonly hadElsewhere: (name: string) => "shown" | "recorded" | undefined;
  /** Keeps which of the names are left to other resources that declare them, until those have them. */
  readonly leaveNames: (names: readonly string[]) => void;
  /** The resource has them from now on. */
  readonly takeNames: (names: Iterable<string>) => void;
  /**
   * At the creation of the resource: what the project came with when the program created it, by name, without what another
   * resource of the program has or declares.
   */
  readonly listInherited: () => ReadonlyMap<string, InheritedPart>;
  /** To a delete: the inputs that the program declares of what replaces the object; undefined where nothing does. */
  readonly successor: Readonly<Record<string, unknown>> | undefined;
}

/** What a handler may use; it knows neither transport nor preview nor unknown values nor Pulumi secrets. */
export interface Context extends StepLimits {
  readonly api: Api;
  /** Reads and bulk writes shared by all resources of this run. */
  readonly shared: SharedCalls;
  readonly clock: Clock;
  /** Runs `work` while no other work of `queue` runs in this process. Waiting for that does not count towards the deadline. */
  readonly inTurn: <T>(queue: string, work: () => Promise<T>) => Promise<T>;
  /** A listing that begins after the work of `queue` which is waiting now. Waiting for that does not count towards the deadline. */
  readonly listInTurn: <T>(queue: string, key: string, load: () => Promise<T>) => Promise<T>;
  /** The same with other limits, for what several steps do together. */
  readonly within: (limits: StepLimits) => Context;
  /** The same for one write that must not happen twice, and what tells afterwards what it can have made. */
  readonly once: () => SingleWrite;
  /** Whether a project or branch, by its reference, gave an empty answer to a call that the step rests on. */
  readonly hasEmptyAnswer: (ref: string) => boolean;
  /** What the ledger knows of the object. */
  readonly ledger: ObjectLedger;
  /** What this run knows of the rest of the program. */
  readonly program: ProgramView;
  /** The URN of the resource; `<urn>` where it is not known. */
  readonly urn: string;
  /** The same of the resource of this stack that has the project or branch of this reference. */
  readonly findUrn: (ref: string) => string;
  /** What failed in this step already, by name: what settles a set afterwards does not try it a second time. */
  readonly failures: Map<string, Error>;
  /** Reports what is being waited for. */
  readonly progress: (message: string) => void;
  /** Reports something worth knowing that asks for nothing. */
  readonly info: (message: string) => void;
  /** Reports something that needs attention but is no failure. */
  readonly warn: (message: string) => void;
}

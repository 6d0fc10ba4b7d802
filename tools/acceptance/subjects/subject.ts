import type { ManagementClient } from "../../../provider/client";
import type { SettledResource } from "../../../provider/engine/create/create";
import type { Values } from "../../../provider/define/values";
import type { Call, NeedName } from "../../fixtures/fixture";
import { fixtureOf } from "../../fixtures/fixtures";

/** What a trial of a resource is given. */
export interface TrialContext {
  readonly client: ManagementClient;
  /** The time of the run, in milliseconds. */
  readonly now: () => number;
  /** Ends at once when the run is interrupted. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly organization: string;
  readonly projectName: string;
  readonly region: string;
  readonly dbPass: string;
  /** A name of a domain that the user owns; no hostname is tried without one. */
  readonly hostname: string | undefined;
  /** Whether the user agrees to what costs more than the project itself. */
  readonly withCost: boolean;
  /** Of the organization; undefined until it is read, and where the service does not say. */
  readonly plan: string | undefined;
  /** A folder of the run, for what resources read from files. */
  readonly folder: string;
  /** The project's reference; empty until it is created. */
  readonly ref: string;
  /** What the resource needs and was found or made for it, by name. */
  readonly found: Values;
}

/** A resource type that the acceptance run tries, and how. */
export interface Subject {
  readonly type: string;
  readonly inputs: (context: TrialContext) => Values;
  /** Of an action that is done once more, where that takes more than a new value of `triggers`. */
  readonly again?: (context: TrialContext) => Values;
  /** What the resource needs beside the project; removed when no later subject needs it. */
  readonly needs?: readonly NeedName[];
  /** Anything else that must be so before the create; what it returns is `found`. */
  readonly prepare?: (context: TrialContext) => Promise<Values | undefined>;
  /** A change outside Pulumi, by one call of the API. */
  readonly edit?: (context: TrialContext, made: SettledResource) => Promise<unknown>;
  /** Why nothing can be changed outside Pulumi that a refresh would show, given what `look` found; an action needs no reason. */
  readonly unedited?: (found: unknown) => string | undefined;
  /** What of this type is on the service: equal before the create and after the destroy. */
  readonly look: (context: TrialContext) => Promise<unknown>;
  /** Why it cannot be tried in this context. */
  readonly leftOut?: (context: Pick<TrialContext, "hostname">) => string | undefined;
  /** Whether the service refuses it to an organization that does not pay. */
  readonly isPaidFor?: true;
  /** What it costs beside the project and what it needs. */
  readonly costs?: readonly CostItem[];
}

/** Something that the service bills: compute by the hour, an add-on at most a month. */
export type CostItem =
  "branch" | "custom_domain" | "ipv4" | "log_drain" | "pitr" | "compute" | "read_replica";

/** How a subject differs from the fixture of its type, which it is tried as otherwise. */
interface Differing extends Omit<Subject, "inputs"> {
  /** In place of the fixture's inputs, or beside them; undefined takes an input out. */
  readonly inputs?: Subject["inputs"];
}

export function subject({ inputs, ...others }: Differing): Subject {
  const { needs = [], editByCall, ...fixture } = fixtureOf(others.type);
  return {
    needs,
    ...(editByCall !== undefined && {
      edit: ({ client, ref }, { id }) => Promise.resolve(editByCall(callsOf(client), ref, id)),
    }),
    ...others,
    inputs: (context) => {
      const all = Object.entries({ ...fixture.inputs(context.ref), ...inputs?.(context) });
      return Object.fromEntries(all.filter(([, value]) => value !== undefined));
    },
  };
}

export function subjects(differing: readonly Differing[]): readonly Subject[] {
  return differing.map(subject);
}

function callsOf(client: ManagementClient): Call {
  // Each operation is a method of its name, which takes its parameters.
  return (operation, parameters) => (client[operation] as (given: typeof parameters) => unknown)(parameters);
}

/** The text that every edit outside Pulumi writes. */
export const BY_HAND = "by-hand";

/** For what a delete leaves on the service, or what no call shows: there is nothing to compare. */
export const nothingToSee = (): Promise<undefined> => Promise.resolve(undefined);

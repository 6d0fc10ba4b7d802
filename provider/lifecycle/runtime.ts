import type { ManagementClient } from "../client";
import type { CallOptions } from "../client/call-subject";
import type { Clock } from "../client/clock";
import type { Api, Context, HandOver } from "../define/context";
import type { Limits, SharedCalls } from "../define/shared-calls";
import type { AnyResource } from "../define/resource";
import type { OperationName } from "../../spec/table";
import { isMadeDuring } from "./recovery/journal/entry";
import type { ObjectOwners } from "./ownership/object-owners";
import type { Journal } from "./recovery/journal/journal";
import { createListings } from "../lookup/listings";
import { orOwnerGone, type Calling, type Parameters } from "../lookup/owner";
import { createHandOver, NOTHING_TO_HAND_OVER } from "./ownership/hand-over";
import { parentOf, scopeOf } from "./ownership/identity";
import { namesElsewhere, type ProgramNames } from "./ownership/program-names";
import type { RunCalls } from "../batching/shared-calls";
import { SentRequests } from "./recovery/sent-requests";
import type { Values } from "./state";

/** What all steps of a process share. */
export interface Runtime {
  /** The one client of the process; throws when the configuration does not allow to build it. */
  client(): ManagementClient;
  readonly baseUrl: () => string;
  /** Further base URLs of the same service. */
  readonly baseUrlAliases: () => readonly string[];
  /** A hash that distinguishes the configured credentials from others. */
  readonly account: () => string;
  readonly clock: Clock;
  readonly shared: RunCalls;
  readonly journal: Journal;
  readonly owners: ObjectOwners;
  readonly names: ProgramNames;
  readonly redact: (text: string) => string;
  readonly signal: AbortSignal;
  /** Seconds that the engine gives a step, where it tells the provider; they win over `timeouts`. */
  readonly timeoutSeconds?: number;
  /** `subject` names what the line is about, for adapters whose lines do not stand at a resource. */
  readonly progress: (message: string, subject: string) => void;
  readonly info: (message: string, subject: string) => void;
  readonly warn: (message: string, subject: string) => void;
}

export type StepName = "create" | "update" | "delete" | "read";

/** Seconds that a read may take, with its retries. */
export const READ_TIMEOUT_SECONDS = 300;

/** The context of one step: its deadline from `timeouts`, its progress lines named after the resource. */
export function contextFor(
  runtime: Runtime,
  resource: AnyResource,
  step: StepName,
  values: Values,
  { id, ...options }: StepOptions & { readonly id?: string } = {},
): Context {
  const seconds =
    runtime.timeoutSeconds ??
    (step === "read" ? READ_TIMEOUT_SECONDS : timeoutSeconds(resource, step, values));
  return createContext(runtime, {
    label: formatSubject(resource, values, id),
    seconds,
    declaredElsewhere: () => namesElsewhere(runtime.names, resource, values),
    handOver: createHandOver(runtime, resource, values),
    ...options,
  });
}

/** What a step does beside its calls. */
export interface StepOptions {
  /** When it must have ended; by `timeouts` from now on where it is not given. */
  readonly deadlineMs?: number;
  /** The shared calls; those of the run where it is not given. */
  readonly shared?: SharedCalls;
  /** Called when a write leaves, and when the service has answered it. */
  readonly onWrite?: Context["onWrite"];
  readonly keep?: Context["keep"];
  readonly kept?: Values | undefined;
  readonly others?: Context["others"];
  readonly isAdopted?: boolean;
  readonly successor?: Values | undefined;
}

interface ContextOptions extends StepOptions {
  readonly label: string;
  readonly seconds: number;
  readonly declaredElsewhere?: Context["declaredElsewhere"];
  readonly handOver?: HandOver;
}

/** A context that ends after `seconds`, its lines named `label`. */
export function createContext(runtime: Runtime, options: ContextOptions): Context {
  const {
    label,
    seconds,
    onWrite,
    keep = () => undefined,
    kept = {},
    others = [],
    isAdopted = false,
    successor,
  } = options;
  const { shared = runtime.shared } = options;
  const { declaredElsewhere = () => new Set(), handOver = NOTHING_TO_HAND_OVER } = options;
  const progress = (message: string): void => runtime.progress(message, label);
  const within = ({ deadlineMs, signal, onWrite: told = onWrite, sendsOnce }: Limits): Context => ({
    api: boundApi({
      client: runtime.client(),
      shared,
      options: { signal, deadlineMs, progress, onWrite: told, sendsOnce, resource: label },
    }),
    shared,
    clock: runtime.clock,
    signal,
    deadlineMs,
    onWrite: told,
    sendsOnce,
    within,
    once: () => {
      const requests = new SentRequests(() => runtime.client().serviceTimeMs());
      const onEither = (): (() => void) => {
        const answered = [told?.(), requests.onWrite()];
        return () => answered.forEach((tell) => tell?.());
      };
      return {
        ctx: within({ deadlineMs, signal, onWrite: onEither, sendsOnce: true }),
        isMadeMeanwhile: (createdAt) => isMadeDuring(requests.all, { createdAt }, Infinity),
      };
    },
    keep,
    kept,
    others,
    isAdopted,
    successor,
    declaredElsewhere,
    handOver,
    progress,
    info: (message) => runtime.info(message, label),
    warn: (message) => runtime.warn(message, label),
  });
  const { deadlineMs: untilMs = runtime.clock.now() + seconds * 1_000 } = options;
  return within({ deadlineMs: untilMs, signal: runtime.signal });
}

function boundApi(calling: Calling): Api {
  const { client, options } = calling;
  const parts: Api["parts"] = {
    getFunctionBody: (parameters) => client.parts.getFunctionBody(parameters, options),
  };
  const ofEveryProject: Api["ofEveryProject"] = (ref, read) => orOwnerGone(calling, { ref }, read);
  const addressOf: Api["addressOf"] = (name, parameters) => client.addressOf(name, parameters);
  const schemaNamed: Api["schemaNamed"] = (placeholder) => client.schemaNamed(placeholder);
  const own = { parts, addressOf, schemaNamed, ofEveryProject };
  const methods: Record<string, unknown> = { ...createListings(calling), ...own };
  // `Api` has the client's methods: their parameters go through unseen.
  const call = (name: OperationName) => (parameters: Parameters) =>
    (client[name] as (p: unknown, o: CallOptions) => Promise<unknown>)(parameters, options);
  return new Proxy(methods, {
    get: (own, name) => (typeof name === "string" && own[name]) || call(name as OperationName),
  }) as unknown as Api;
}

function timeoutSeconds(resource: AnyResource, step: "create" | "update" | "delete", values: Values): number {
  const timeouts = values["timeouts"];
  if (typeof timeouts === "object" && timeouts !== null) {
    const seconds: unknown = Reflect.get(timeouts, step);
    if (typeof seconds === "number") return seconds;
  }
  return resource.timeouts[step];
}

/** What a line is about, where it does not stand at the resource. */
export function formatSubject(resource: AnyResource, values: Values, id?: string): string {
  return `${resource.type} ${labelOf(resource, values, id)}`;
}

function labelOf(resource: AnyResource, values: Values, id: string | undefined): string {
  const { labelledBy, uniqueBy = [] } = resource;
  const named = values[labelledBy ?? uniqueBy.at(-1) ?? ""];
  if (typeof named === "string") return named;
  const scope = scopeOf(resource, values);
  if (scope === "" && id !== undefined) return id;
  const parent = parentOf(resource, values);
  return parent === "" ? "" : `of ${parent}`;
}

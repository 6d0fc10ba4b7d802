import type { ManagementClient } from "../../client";
import type { CallOptions } from "../../client/call-subject";
import type { Clock } from "../../client/clock";
import type { Api, Context, ObjectLedger, ProgramView } from "../../define/context";
import type { StepLimits, SharedCalls } from "../../define/shared-calls";
import { omitUnknown } from "../../define/unknown";
import type { AnyResource, Installation } from "../../define/resource";
import type { OperationName } from "../../../spec/table";
import { isMadeDuring } from "../../ledger/ledger-record";
import type { Ledger } from "../../ledger/ledger";
import { AnswerRecord } from "./answer-record";
import { createListings } from "../../lookup/listings";
import { failIfOwnerGone, type CallContext, type CallParameters } from "../../lookup/owner";
import { EMPTY_PROGRAM, viewProgram } from "../../ledger/program-view";
import { createClaim, parentInputs, type Claim, type ObjectClaim } from "../../ledger/claim";
import { logicalName, stackOf, UNKNOWN_URN, urnOf } from "../../ledger/owner";
import type { ProgramIndex } from "../../ledger/program-index";
import { refuseOtherService } from "./service-address";
import { failsWhilePaused, explainPaused } from "../../waiting/project-state";
import type { RunCalls } from "../../batching/shared-calls";
import { SentRequests } from "../../ledger/sent-requests";
import type { Values } from "../../define/values";

/** What all steps of a process share. */
export interface Runtime {
  /** The one client of the process; throws when the configuration does not allow to build it. */
  client(): ManagementClient;
  readonly baseUrl: () => string;
  /** Further base URLs of the same service. */
  readonly baseUrlAliases: () => readonly string[];
  /** What the names file says; the specification's own words where there is none, or none that can be used. */
  readonly installation: () => Installation;
  readonly clock: Clock;
  readonly shared: RunCalls;
  readonly ledger: Ledger;
  readonly program: ProgramIndex;
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
export function createStepContext(
  runtime: Runtime,
  resource: AnyResource,
  step: StepName,
  values: Values,
  { claim = createClaim(resource, values), ledger, successor, ...options }: StepOptions & StepSubject = {},
): Context {
  const urn = urnOf(claim.owner, resource.type) ?? UNKNOWN_URN;
  // A project or branch has no id yet while it is made.
  const isOwn = (ref: string): boolean =>
    resource.idOutput === "ref" && !parentInputs(resource).some((name) => values[name] === ref);
  return createContext(runtime, {
    label: formatSubject(resource, values, claim),
    urn,
    findUrn: (ref) => (isOwn(ref) ? urn : findProjectUrn(runtime, ref, claim.stack)),
    deadline: createStepDeadline(runtime, resource, step, values),
    ledger: {
      ...NOTHING_RECORDED,
      requireOwnService: () => refuseOtherService(runtime, resource, { id: claim.id ?? "", state: values }),
      ...ledger,
    },
    program: viewProgram(runtime, resource, values, { claim, isCreated: step === "create", successor }),
    ...options,
  });
}

/** The URN of the stack's resource that has the project. */
function findProjectUrn({ ledger: { owners } }: Runtime, ref: string, stack: string | undefined): string {
  const records = owners.list({ type: "Project", scope: "", id: ref });
  const owner = records.findLast((each) => stack !== undefined && stackOf(each.owner) === stack)?.owner;
  return urnOf(owner ?? "", "Project") ?? UNKNOWN_URN;
}

/** When the step must have ended that begins now: by the engine's own limit, or by `timeouts`. */
export function createStepDeadline(
  runtime: Runtime,
  resource: AnyResource,
  step: StepName,
  values: Values,
): StepDeadline {
  const seconds =
    runtime.timeoutSeconds ??
    (step === "read" ? READ_TIMEOUT_SECONDS : readTimeoutSeconds(resource, step, values));
  return createDeadline(runtime, seconds);
}

function createDeadline({ clock }: Pick<Runtime, "clock">, seconds: number): StepDeadline {
  return new StepDeadline(clock.now() + seconds * 1_000);
}

/** When a step must have ended; later by what it waited for its turn. */
export class StepDeadline {
  #countedUntilMs = -Infinity;

  constructor(public atMs: number) {}

  /** Puts it off by what the step has waited since then; what it did itself meanwhile counts. */
  putOff(sinceMs: number, nowMs: number): void {
    this.atMs += nowMs - Math.min(nowMs, Math.max(sinceMs, this.#countedUntilMs));
    this.count(nowMs);
  }

  /** What the step did until now counts. */
  count(nowMs: number): void {
    this.#countedUntilMs = nowMs;
  }
}

/** What a step does beside its calls. */
export interface StepOptions {
  /** By `timeouts` from now on where it is not given. */
  readonly deadline?: StepDeadline;
  /** The shared calls; those of the run where it is not given. */
  readonly shared?: SharedCalls;
  /** Called when a write leaves, and when the service has answered it. */
  readonly onWrite?: Context["onWrite"];
  /** Empty where it is not given. */
  readonly failures?: Context["failures"];
}

/** What a step is about. */
interface StepSubject {
  /** By the step's values where it is not given. */
  readonly claim?: Claim;
  readonly ledger?: Partial<ObjectLedger>;
  readonly successor?: Values | undefined;
}

const NOTHING_RECORDED: ObjectLedger = {
  keep: () => undefined,
  kept: {},
  otherOwners: [],
  isAdopted: false,
  requireOwnService: () => undefined,
};

interface ContextOptions extends StepOptions, Partial<Pick<Context, "urn" | "findUrn">> {
  readonly label: string;
  /** Those of a read where neither this nor `deadline` is given. */
  readonly seconds?: number;
  readonly ledger?: ObjectLedger;
  readonly program?: ProgramView;
}

/** A context that ends after `seconds`, its lines named `label`. */
export function createContext(runtime: Runtime, options: ContextOptions): Context {
  const {
    label,
    seconds = READ_TIMEOUT_SECONDS,
    onWrite,
    ledger = NOTHING_RECORDED,
    program = EMPTY_PROGRAM,
    urn = UNKNOWN_URN,
    findUrn = () => UNKNOWN_URN,
    failures = new Map<string, Error>(),
  } = options;
  const answers = new AnswerRecord();
  const shared = answers.recordShared(options.shared ?? runtime.shared);
  const progress = (message: string): void => runtime.progress(message, label);
  const { clock } = runtime;
  const { deadline = createDeadline(runtime, seconds) } = options;
  const onTurn = (): (() => void) => {
    const sinceMs = clock.now();
    return () => deadline.putOff(sinceMs, clock.now());
  };
  const within = (limits: StepLimits): Context => {
    const { deadlineMs, signal, onWrite: told = onWrite, sendsOnce, isTriedOnce } = limits;
    // The step's own deadline may still move.
    const until = deadlineMs === deadline.atMs ? deadline : new StepDeadline(deadlineMs);
    const ctx: Context = {
      api: bindApi(
        {
          client: runtime.client(),
          shared,
          options: {
            get deadlineMs() {
              return until.atMs;
            },
            isLasting: (name, parameters, status) => failsWhilePaused(ctx, { name, parameters }, status),
            ...{ signal, progress, onWrite: told, sendsOnce, isTriedOnce, resource: label },
          },
        },
        () => ctx,
        answers,
      ),
      shared,
      hasEmptyAnswer: (ref) => answers.hasEmpty(ref),
      clock,
      signal,
      get deadlineMs() {
        return until.atMs;
      },
      onWrite: told,
      sendsOnce,
      isTriedOnce,
      within,
      once: () => {
        const requests = new SentRequests(() => runtime.client().serviceTimeMs());
        const onEither = (): (() => void) => {
          const answered = [told?.(), requests.onWrite()];
          return () => answered.forEach((tell) => tell?.());
        };
        return {
          ctx: within({ deadlineMs: until.atMs, signal, onWrite: onEither, sendsOnce: true }),
          isMadeMeanwhile: (createdAt) => isMadeDuring(requests.all, { createdAt }, Infinity),
        };
      },
      inTurn: (queue, work) => {
        const begin = onTurn();
        return shared.exclusively(queue, async () => {
          begin();
          signal.throwIfAborted();
          return work().finally(() => deadline.count(clock.now()));
        });
      },
      listInTurn: (queue, key, load) => shared.listInTurn(queue, key, load, onTurn()),
      ledger,
      program,
      urn,
      findUrn,
      failures,
      progress,
      info: (message) => runtime.info(message, label),
      warn: (message) => runtime.warn(message, label),
    };
    return ctx;
  };
  return within({ deadlineMs: deadline.atMs, signal: runtime.signal });
}

function bindApi(calling: CallContext, ctx: () => Context, answers: AnswerRecord): Api {
  const { client, options } = calling;
  const around = async <T>(name: string, parameters: CallParameters, send: () => Promise<T>): Promise<T> => {
    const isRead = READS.test(name);
    const answer = await (options.isTriedOnce === true
      ? send()
      : explainPaused(ctx(), { name, parameters, isRead }, send));
    // The rows of a query are a listing, too.
    if (isRead || name === "runQuery") answers.add(parameters, answer);
    return answer;
  };
  const parts: Api["parts"] = {
    getFunctionBody: (parameters) =>
      around("getFunctionBody", parameters, () => client.parts.getFunctionBody(parameters, options)),
  };
  const ofEveryProject: Api["ofEveryProject"] = (ref, read) =>
    around("ofEveryProject", { ref }, () => failIfOwnerGone(calling, { ref }, read));
  const addressOf: Api["addressOf"] = (name, parameters) => client.addressOf(name, parameters);
  const schemaNamed: Api["schemaNamed"] = (placeholder) => client.schemaNamed(placeholder);
  const reservedPrefix: Api["reservedPrefix"] = () => client.reservedPrefix();
  const own = { parts, addressOf, schemaNamed, reservedPrefix, ofEveryProject };
  const methods: Record<string, unknown> = { ...createListings(calling, around), ...own };
  // `Api` has the client's methods: their parameters go through unseen.
  const call = (name: OperationName) => (parameters: CallParameters) =>
    around(name, parameters, () =>
      (client[name] as (p: unknown, o: CallOptions) => Promise<unknown>)(parameters, options),
    );
  return new Proxy(methods, {
    get: (own, name) => (typeof name === "string" && own[name]) || call(name as OperationName),
  }) as unknown as Api;
}

/** How the names of calls begin that change nothing, so that they can be sent again. */
const READS = /^(?:get|list|first|check|runReadOnly|ofEvery)/;

function readTimeoutSeconds(
  resource: AnyResource,
  step: "create" | "update" | "delete",
  values: Values,
): number {
  const timeouts = values["timeouts"];
  if (typeof timeouts === "object" && timeouts !== null) {
    const seconds: unknown = Reflect.get(timeouts, step);
    if (typeof seconds === "number") return seconds;
  }
  return resource.timeouts[step];
}

/** What a line is about, where it does not stand at the resource; its name in the program where nothing else is known yet. */
export function formatSubject(resource: AnyResource, values: Values, claim: Claim): string {
  return [resource.type, formatLabel(resource, omitUnknown(values), claim) || logicalName(claim.owner)]
    .filter(Boolean)
    .join(" ");
}

/** The same of an object that has an id, by nothing that the program may have made secret. */
export function formatKnownSubject({ type, parent, id }: ObjectClaim): string {
  return `${type} ${id === parent ? `of ${parent}` : id}`;
}

function formatLabel(resource: AnyResource, values: Values, { scope, parent, id }: Claim): string {
  const { labelledBy, uniqueBy = [] } = resource;
  const named = values[labelledBy ?? uniqueBy.at(-1) ?? ""];
  if (typeof named === "string") return named;
  // What a project has once is the project's own, also where its id is that of the project.
  if (scope === "" && id !== undefined && id !== parent) return id;
  return parent === "" ? "" : `of ${parent}`;
}

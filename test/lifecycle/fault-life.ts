import { ManagementClient } from "../../provider/client";
import type { SettledResource } from "../../provider/engine/create/create";
import { InitializationError } from "../../provider/engine/step/errors";
import type { Values } from "../../provider/define/values";
import type { OperationName } from "../../spec/table";
import { fakeTimers } from "../kit/fake-timers";
import { adoptIdIn } from "./as-advised";
import { requireExactlyOnce, requireNothingLeft, runUntilSettled } from "../kit/checks";
import type { Disturbance } from "../kit/answer-proxy";
import type { Changes } from "../kit/service-changes";
import { LARGEST_ANSWER_BYTES, type Fault } from "./fault-kinds";
import { countAfterDelete, isAsChanged, resourceOf, type Sample } from "../kit/samples";
import { startScenario, type Managed, type Scenario, type ScenarioOptions } from "../kit/scenario";
import { waitUntil } from "../kit/wait-until";

/** The steps of a life; what `create` calls after its first write belongs to `settle`. */
export type Step = "create" | "settle" | "read" | "update" | "delete";
type Stage = Exclude<Step, "settle">;

/** One operation that a step calls; the fault hits its first call there. */
export interface Place {
  readonly step: Step;
  readonly operation: OperationName;
  /** Calls of the same operation that the run makes before. */
  readonly skip: number;
}

/** After which a call that a fault holds is given up, well before any deadline. */
const IMPATIENT_MS = 100;
/** Longer than any window of the rate limit. */
const NEW_WINDOW_MS = 61_000;

/** What a stage left behind. */
interface Outcome {
  /** What the service stored before the life, and what it does now. */
  readonly snapshots: readonly [before: unknown, now: unknown];
  /** Names of the properties in state. */
  readonly properties: string;
}

interface Watch {
  begins(stage: Stage): void;
  ended(stage: Stage, outcome: Outcome): void;
}

/** A service with others' objects on it, on which one resource lives again and again. */
export class FaultLife {
  readonly places: Place[] = [];
  /** What each stage of an undisturbed life changes on the service, and the names in its state. */
  private readonly usual = new Map<Stage, { readonly changes: Changes; readonly properties: string }>();
  /** Identifiers of what is shown without being the resource. */
  private others: readonly unknown[] = [];
  private client: "impatient" | "frugal" = "frugal";

  private constructor(
    private readonly sample: Sample,
    private readonly scenario: Scenario,
    private readonly managed: Managed,
    private readonly clients: Readonly<Record<"impatient" | "frugal", ManagementClient>>,
    private readonly ref: string,
  ) {}

  static async open(sample: Sample, options?: Pick<ScenarioOptions, "isProxied">): Promise<FaultLife> {
    // Faster than the service, so that fewer polls are made; every state is passed through all the same.
    const scenario = await startScenario({ pace: 0.25, ...options });
    const { emulator, url: baseUrl, clock } = scenario;
    const impatient = new ManagementClient({
      baseUrl,
      credentials: { kind: "token", accessToken: () => emulator.accessToken },
      clock,
      requestTimeoutMs: IMPATIENT_MS,
    });
    const frugal = new ManagementClient({
      baseUrl,
      credentials: { kind: "token", accessToken: () => emulator.accessToken },
      clock,
      largestAnswerBytes: LARGEST_ANSWER_BYTES,
    });
    const ref = scenario.healthyProject("bystander");
    if (sample.needsProject) addBystanders(scenario, ref);
    sample.prepare?.(scenario, ref);
    const life = new FaultLife(
      sample,
      scenario,
      scenario.manage(resourceOf(sample)),
      { impatient, frugal },
      ref,
    );
    // What the first life leaves on the service, such as a default branch, the later ones find there.
    try {
      await life.live({ begins: () => undefined, ended: () => undefined });
      await life.live(life.record());
      return life;
    } catch (error) {
      await life.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.clients.impatient.close();
    await this.clients.frugal.close();
    await this.scenario.close();
  }

  /** A life with one fault in it; throws what does not converge. */
  async liveThrough({ step, operation, skip }: Place, fault: Fault): Promise<void> {
    const { control } = this.scenario.emulator;
    const isHeld = fault.hold === "before" || fault.hold === "after";
    this.client = isHeld ? "impatient" : "frugal";
    const watch = this.disturb(stageOf(step), stageOf(step), () => {
      control.addFault({ ...fault, operation, skip });
      return () => control.pendingFaults().length === 0;
    });
    await (isHeld ? this.liveWithHeldTimers(watch) : this.live(watch));
  }

  /** A life in which a request is disturbed on its way to the service; throws what does not converge. */
  async liveThroughNetwork({ step, operation, skip }: Place, disturbance: Disturbance): Promise<void> {
    const { proxy } = this.scenario;
    const watch = this.disturb(stageOf(step), stageOf(step), () => {
      const disturbed = proxy.disturb({ ...disturbance, operation, skip, times: 1 });
      return () => {
        disturbed.end();
        return disturbed.requests.length === 1;
      };
    });
    await this.live(watch);
  }

  /** A life in which any request may be disturbed; `disturb` returns what ends that. */
  async liveWhile(disturb: (scenario: Scenario) => () => void): Promise<void> {
    const watch = this.disturb("create", "delete", () => {
      const end = disturb(this.scenario);
      return () => {
        end();
        return true;
      };
    });
    await this.live(watch);
  }

  /** Something goes wrong from one stage to another; `begin` returns what ends it, and says whether it was met. */
  private disturb(first: Stage, last: Stage, begin: () => () => boolean): Watch {
    this.scenario.emulator.control.clearCalls();
    let end: () => boolean = () => false;
    return {
      begins: (stage) => {
        if (stage === first) end = begin();
      },
      ended: (stage, { snapshots, properties }) => {
        if (stage === last && !end()) throw new Error("the fault was not met");
        const usual = this.usual.get(stage);
        if (usual === undefined) return;
        requireNothingLeft(stage, snapshots, usual.changes);
        if (properties !== usual.properties) {
          throw new Error(`after ${stage} the state has ${properties} instead of ${usual.properties}`);
        }
      },
    };
  }

  /** Time stands still for the life's requests until one is held, so that no other is given up. */
  private async liveWithHeldTimers(watch: Watch): Promise<void> {
    const { control } = this.scenario.emulator;
    const timers = fakeTimers();
    const ended = new AbortController();
    try {
      const life = this.live(watch).finally(() => ended.abort());
      life.catch(() => undefined);
      // A call is logged as unanswered when it is held.
      await waitUntil(
        "a call is held, or all are answered",
        () => ended.signal.aborted || control.countCalls({ status: 0 }) > 0,
      );
      timers.passMs(10 * IMPATIENT_MS);
      await life;
    } finally {
      jest.useRealTimers();
    }
  }

  /** As an undisturbed program would: made, refreshed, changed, removed. */
  private async live(watch: Watch): Promise<void> {
    const { emulator, clock } = this.scenario;
    clock.advance(NEW_WINDOW_MS);
    const before = emulator.control.snapshot();
    this.others = (await this.sample.onService(this.scenario, this.ref)).map(idOf);
    const during = async <T extends SettledResource | undefined>(
      stage: Stage,
      work: () => Promise<T>,
    ): Promise<T> => {
      this.nextRun();
      watch.begins(stage);
      const result = await work();
      // What was adopted, as the error of an unclear create advises, says so in its state.
      const properties = Object.keys(result?.state ?? {})
        .filter((name) => name !== "__takenOver")
        .sort()
        .join();
      watch.ended(stage, { properties, snapshots: [before, emulator.control.snapshot()] });
      return result;
    };
    const [inputs, changed] = [this.sample.inputs(this.ref), this.sample.changed(this.ref)];
    const made = await during("create", () => this.bring(inputs));
    requireExactlyOnce("objects", await this.shown(), 1);
    const seen = await during("read", () => this.refresh(made, inputs));
    this.sample.afterCreate?.(this.scenario, this.ref);
    const updated = await during("update", () => this.bring(changed, seen));
    if (!isAsChanged(this.sample, await this.shown()))
      throw new Error("it is not as declared after the update");
    this.nextRun();
    const last = await this.refresh(updated, changed);
    await during("delete", () => this.inRuns(() => this.managed.delete(last).then(() => undefined)));
    requireExactlyOnce("objects", await this.shown(), countAfterDelete(this.sample));
    this.nextRun();
    await this.managed.delete(last);
    await this.sample.cleanUp?.(this.scenario, this.ref);
    requireExactlyOnce("objects", await this.shown(), 0);
  }

  private record(): Watch {
    const { control } = this.scenario.emulator;
    return {
      begins: () => control.clearCalls(),
      ended: (stage, { snapshots, properties }) => {
        this.usual.set(stage, { changes: requireNothingLeft(stage, snapshots), properties });
        const firstWrite = control.calls().findIndex(({ method }) => method !== "GET");
        const seen = new Map<string, number>();
        control.calls().forEach(({ operation }, index) => {
          if (operation === undefined) return;
          const step = stage === "create" && index > firstWrite ? "settle" : stage;
          const isKnown = this.places.some((place) => place.step === step && place.operation === operation);
          const skip = seen.get(operation) ?? 0;
          if (!isKnown) this.places.push({ step, operation, skip });
          seen.set(operation, skip + 1);
        });
      },
    };
  }

  /** As `pulumi up` does until it succeeds: a half-made resource is gone on with, any other failure begins anew. */
  private async bring(inputs: Values, before?: SettledResource): Promise<SettledResource> {
    let known = before;
    let declared = inputs;
    return this.inRuns(async () => {
      try {
        return await (known === undefined
          ? this.managed.create(declared)
          : this.managed.update(known, inputs));
      } catch (error) {
        if (error instanceof InitializationError) known = { id: error.id, state: error.state };
        // Nobody else makes anything here: what nothing proves is taken over, as the message says.
        const message = String(error);
        if (/outcome of the create at .*adoptId/s.test(message))
          declared = { ...inputs, adoptId: adoptIdIn(message) };
        throw error;
      }
    });
  }

  /** As `pulumi refresh` does; whatever goes wrong, it must show neither a loss nor a change. */
  private async refresh(made: SettledResource, inputs: Values): Promise<SettledResource> {
    const read = await this.inRuns(() => this.managed.read(made));
    if (read === undefined) throw new Error("a refresh shows it as gone");
    const { changes, changed } = this.managed.diff(read.state, inputs);
    if (changes) throw new Error(`a refresh shows a change of ${[...changed].join(", ")}`);
    return { id: read.id, state: read.state };
  }

  private inRuns<T>(work: () => Promise<T>): Promise<T> {
    return runUntilSettled(work, () => this.nextRun());
  }

  private nextRun(): void {
    this.scenario.nextRun();
    this.scenario.runtime.client = () => this.clients[this.client];
  }

  private async shown(): Promise<unknown[]> {
    const shown = await this.sample.onService(this.scenario, this.ref);
    return shown.filter((each) => !this.others.includes(idOf(each)));
  }
}

function stageOf(step: Step): Stage {
  return step === "settle" ? "create" : step;
}

/** Undefined for what a project has only one of. */
function idOf(shown: unknown): unknown {
  return typeof shown === "object" && shown !== null ? Reflect.get(shown, "id") : undefined;
}

/** Objects that nobody declared, one of each kind that a project holds. */
function addBystanders({ emulator: { control }, clock }: Scenario, ref: string): void {
  control.call("createBranch", { ref, body: { branch_name: "bystander" } });
  control.call("createApiKey", { ref, body: { type: "secret", name: "bystander" } });
  control.call("createSecrets", { ref, body: [{ name: "BYSTANDER", value: "value" }] });
  const file = [{ name: "index.ts", content: new TextEncoder().encode("export {};") }];
  const body = { metadata: { entrypoint_path: "index.ts" }, file };
  control.call("deployFunction", { ref, slug: "bystander", body });
  control.call("createSsoProvider", {
    ref,
    body: { type: "saml", metadata_url: "https://idp.example.net/metadata", domains: ["example.net"] },
  });
  clock.advance(10 * 60_000);
}

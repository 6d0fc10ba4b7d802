import type { Clock } from "../../provider/client/clock";
import { ManagementClient } from "../../provider/client";
import type { CallOptions } from "../../provider/client/call-subject";
import { Redactor } from "../../provider/client/redaction/redactor";
import type { LedgerRecord } from "../../provider/ledger/ledger-record";
import { Ledger, openRecords } from "../../provider/ledger/ledger";
import type { DurableFiles } from "../../provider/ledger/durable-files";
import type { Processes } from "../../provider/core/process-identity";
import { ProgramIndex } from "../../provider/ledger/program-index";
import type { Runtime } from "../../provider/engine/step/runtime";
import { createSharedCalls } from "../../provider/batching/shared-calls";
import { operations, type OperationName } from "../../spec/table";
import type { Scenario } from "./scenario";
import type { VirtualClock } from "../../tools/virtual-clock";

/** Where and how a process dies. */
export interface Death {
  /** The number of the point, from 0, at which control leaves the provider. */
  readonly at: number;
  /** The request that is about to leave has left, and the service carries it out only later. */
  readonly isUnderWay?: boolean;
  /** It is the engine that dies: the provider goes on until it notices, and nobody records what it answers. */
  readonly isOfEngine?: boolean;
}

/** The same by the name of the point, as `answer createProject`: the first one of it. */
export interface DeathAt extends Omit<Death, "at"> {
  readonly point: string;
}

/** A point at which control leaves the provider. */
export interface Point {
  readonly what: string;
  /** Whether it is a write, which may still be under way when the process is dead. */
  readonly isWrite: boolean;
}

/** How much later than its process's death a request is carried out. */
export const LATE_MS = 10_000;

class ProcessIsDead extends Error {}

export interface ProcessOptions {
  /** The user's state folder. */
  readonly folder: string;
  readonly processes: Processes;
  readonly death?: Death | DeathAt | undefined;
  /** Told of each call at the moment at which it is about to leave. */
  readonly onCall?: ((name: OperationName, parameters: unknown) => void) | undefined;
}

/** A provider's process that can die wherever control leaves it: nothing of it happens from then on. */
export class MortalProcess {
  readonly points: Point[] = [];
  readonly warnings: string[] = [];
  readonly runtime: Runtime;
  /** Resolves when the process dies, or its engine. */
  readonly died: Promise<void>;
  /** Told at the very moment of the death. */
  onDeath: () => void = () => undefined;
  /** Resolves when all that it does has ended; never, where it dies itself. */
  ended: Promise<void> = Promise.resolve();
  /** Requests that left before the death and are carried out after it. */
  readonly late: Promise<unknown>[] = [];
  #isDead = false;
  readonly #alone = new AbortController();
  #tellDeath: () => void = () => undefined;
  readonly #death: Death | DeathAt | undefined;
  readonly #onCall: ProcessOptions["onCall"];
  readonly #client: ManagementClient;
  /** Carries out what left before the death. */
  readonly #network: ManagementClient;

  constructor(
    { emulator, clock, url: baseUrl }: Pick<Scenario, "emulator" | "clock" | "url">,
    { folder, processes, death, onCall }: ProcessOptions,
  ) {
    this.#death = death;
    this.#onCall = onCall;
    this.died = new Promise((resolve) => {
      this.#tellDeath = resolve;
    });
    const mortalClock: Clock = {
      now: () => clock.now(),
      random: () => clock.random(),
      sleep: async (ms, signal) => {
        await this.passes("wait");
        await clock.sleep(ms, signal);
        // A wait that was begun before the death, beside another one, wakes nobody.
        if (this.#isDead) await new Promise<never>(() => undefined);
      },
    };
    const redactor = new Redactor();
    const credentials = { kind: "token" as const, accessToken: () => emulator.accessToken };
    this.#client = new ManagementClient({ baseUrl, credentials, clock: mortalClock, redactor });
    this.#network = new ManagementClient({ baseUrl, credentials, clock, redactor });
    const client = this.#mortalClient(clock);
    const warn = (message: string): void => {
      if (!this.#isDead) this.warnings.push(message);
    };
    // What a dead process would still write is nobody's.
    const service = (): { baseUrl: string; account: string } => ({ baseUrl, account: "account" });
    const common = { backend: "", clock, processes, warn, service };
    const ledger = new Ledger({
      ...common,
      folder,
      open: (directory) => this.#mortalFiles(openRecords(directory)),
    });
    const nobodys = new Ledger({ ...common, folder: undefined });
    const ledgerNow = (): Ledger => (this.#isDead ? nobodys : ledger);
    this.runtime = {
      client: () => client,
      baseUrlAliases: () => [],
      installation: () => ({ reservedPrefix: client.reservedPrefix() }),
      baseUrl: () => baseUrl,
      clock: mortalClock,
      shared: createSharedCalls(mortalClock),
      get ledger() {
        return ledgerNow();
      },
      program: new ProgramIndex(),
      redact: (text) => redactor.redact(text),
      signal: this.#alone.signal,
      progress: () => undefined,
      info: () => undefined,
      warn,
    };
  }

  /** What the process does until its end, or until it or its engine dies: undefined then. */
  async live<T>(work: () => Promise<T>): Promise<{ readonly result: T } | undefined> {
    const done = work().then((result) => ({ result }));
    // Of a dead process nothing is heard any more.
    this.ended = done.then(
      () => undefined,
      () => undefined,
    );
    return Promise.race([done, this.died.then(() => undefined)]);
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.late);
    await Promise.all([this.#client.close(), this.#network.close()]);
  }

  /** Control leaves the provider here; it never comes back to a dead one. */
  async passes(what: string, isWrite = false, leave?: () => unknown): Promise<void> {
    if (!this.#isDead && !this.#diesAt({ what, isWrite }, leave)) return;
    await new Promise<never>(() => undefined);
  }

  #passesNow(what: string): void {
    if (this.#isDead || this.#diesAt({ what, isWrite: false })) throw new ProcessIsDead(what);
  }

  #diesAt(point: Point, leave?: () => unknown): boolean {
    this.points.push(point);
    if (this.#death === undefined || this.points.length - 1 !== this.#placeOf(this.#death)) return false;
    // What it notes before the request leaves, it has noted.
    if (this.#death.isUnderWay === true) leave?.();
    this.onDeath();
    this.#tellDeath();
    if (this.#death.isOfEngine === true) {
      this.#alone.abort(new Error("Pulumi's engine has ended."));
      return false;
    }
    this.#isDead = true;
    // What was about to leave does not: an error that the journal copes with would not keep it back.
    void this.#client.close();
    return true;
  }

  #placeOf(death: Death | DeathAt): number {
    return "at" in death ? death.at : this.points.findIndex(({ what }) => what === death.point);
  }

  #mortalFiles(files: DurableFiles<LedgerRecord>): DurableFiles<LedgerRecord> {
    const between = <T>(what: string, work: () => T): T => {
      this.#passesNow(`before the journal ${what}`);
      const result = work();
      this.#passesNow(`after the journal ${what}`);
      return result;
    };
    return {
      ...files,
      write: (name, entry) => between("writes", () => files.write(name, entry)),
      remove: (name) => between("removes", () => files.remove(name)),
    };
  }

  #mortalClient(clock: VirtualClock): ManagementClient {
    return new Proxy(this.#client, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        // Its methods reach private members, which a proxy has not.
        if (!Object.hasOwn(operations, name)) return member.bind(target) as unknown;
        // The names of operations are the client's methods, and all of them take the same two parameters.
        const send = member as (parameters: unknown, options: CallOptions) => Promise<unknown>;
        const isWrite = operations[name as keyof typeof operations].method !== "GET";
        return async (parameters: unknown, options: CallOptions): Promise<unknown> => {
          const wasAlive = !this.#isDead;
          const passing = this.passes(`request ${String(name)}`, isWrite, () => options.onWrite?.());
          if (wasAlive && this.isDead && this.#death?.isUnderWay === true) {
            const later = Reflect.get(this.#network, name) as typeof send;
            const landing = clock.sleep(LATE_MS).then(() => later(parameters, {}));
            this.late.push(landing.catch(() => undefined));
          }
          await passing;
          this.#onCall?.(name as OperationName, parameters);
          try {
            const answer = await send(parameters, options);
            await this.passes(`answer ${String(name)}`);
            return answer;
          } catch (error) {
            // It has died while it noted what was about to leave.
            if (this.#isDead) await new Promise<never>(() => undefined);
            throw error;
          }
        };
      },
    });
  }
}

import type { Values } from "../define/values";
import type { LedgerRecord, SentRequest } from "./ledger-record";
import type { Processes } from "../core/process-identity";
import type { StackRecords } from "./stack-records";

/**
 * A create that has begun and whose object the engine has not shown to know. `engine/create/create.ts` brings it to `answered`.
 * Where its run dies before it is `recorded`, the next create of the resource goes on with it (`engine/create/resume.ts`).
 *
 * | state     | what has happened                            | its record in the ledger            |
 * | --------- | -------------------------------------------- | ----------------------------------- |
 * | begun     | what exists was listed; nothing has left     | in memory alone                     |
 * | sent      | a request has left and may make the object   | on disk, with the time of each one  |
 * | answered  | the service has named the object             | has `id` and `isAnswered`           |
 * | proven    | a later run has found what this create made  | has `id`, and that run's `process`  |
 * | recorded  | the engine has the object in its state       | removed by `Ledger.confirmRecorded` |
 * | forgotten | it made nothing, or what it made is known    | removed by `forget`                 |
 * |           | by another record or by the user's `adoptId` |                                     |
 *
 * | from             | by                                                                    | to        |
 * | ---------------- | --------------------------------------------------------------------- | --------- |
 * | begun            | an error before anything has left                                     | forgotten |
 * | begun            | a request, which is in the record before it leaves                    | sent      |
 * | sent             | an answer with an id                                                  | answered  |
 * | sent             | a refusal                                                             | forgotten |
 * | sent             | an unclear outcome, or the end of the run: the next run looks for it  | sent      |
 * | sent             | in a later run: the proof that an object is its work                  | proven    |
 * | sent             | in a later run: nothing is found, and its request can act no more     | forgotten |
 * | answered, proven | the engine's next call with the id                                    | recorded  |
 * | answered         | in a later run, as the engine does not know the id: the object exists | proven    |
 * | answered, proven | in a later run: the object exists no longer                           | forgotten |
 *
 * An id that a handler knows before it sends (`ctx.keep`) changes no state: it tells where to look, and proves nothing.
 */
export class PendingCreate {
  readonly #name: string;
  readonly #records: StackRecords;
  readonly #processes: Processes;
  readonly #active: Set<string>;

  /** `active` has the names of the records that this process is at work on, or knows the outcome of. */
  constructor(name: string, records: StackRecords, processes: Processes, active: Set<string>) {
    this.#name = name;
    this.#records = records;
    this.#processes = processes;
    this.#active = active;
  }

  /** As it is by now: the process that began it may have learned the id. Undefined once it is recorded or forgotten. */
  get record(): LedgerRecord | undefined {
    return this.#records.get(this.#name);
  }

  /** Whether another process, which began it, is still at it. */
  isRunning(): boolean {
    const { record } = this;
    if (record === undefined || record.process.token === this.#processes.own.token) return false;
    if (this.#processes.isRunning(record.process)) return true;
    // It may have learned the id in its last moments.
    this.#records.reread(this.#name);
    return false;
  }

  /** Begun or sent → sent: the last of these requests leaves now. */
  recordRequests(requests: readonly SentRequest[]): void {
    this.#change({ requests: [...requests], process: this.#processes.own });
  }

  /** The id and the outputs that must outlive this process, in whichever state it is; of themselves they prove nothing. */
  recordOutputs(id: string, outputs: Values): void {
    this.#change({ id, outputs });
  }

  /** Sent → answered. */
  recordAnswer(id: string, outputs: Values): void {
    this.#change({ id, outputs, isAnswered: true });
  }

  /** Sent or answered → proven: from now on this process is at work on it. */
  recordProof(id: string, outputs: Values): void {
    this.#active.add(this.#name);
    this.#change({ id, outputs, process: this.#processes.own });
  }

  /** Any → forgotten. */
  forget(): void {
    this.#records.remove(this.#name);
  }

  /** Stays sent: it is not known what these requests made, and the next create of this resource looks for it. */
  leaveSent(requests: readonly SentRequest[]): void {
    this.#active.delete(this.#name);
    this.#change({ requests: [...requests] });
  }

  #change(changes: Partial<LedgerRecord>): void {
    const { record } = this;
    if (record !== undefined) this.#records.write(this.#name, { ...record, ...changes });
  }
}

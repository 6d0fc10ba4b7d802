import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { diff } from "deep-diff";
import type { Clock } from "../client/clock";
import type { CheckFailure } from "../define/resource";
import type { Values } from "../define/values";
import { tryOrUndefined } from "../../spec/try-or-undefined";
import type { Claim, ObjectClaim } from "./claim";
import { openDurableFiles, ForeignFolderError, requireOwn, type DurableFiles } from "./durable-files";
import { hasIdentity, ledgerRecord, type LedgerRecord, type ResourceIdentity } from "./ledger-record";
import { OwnerRecords, OWNERS_FOLDER } from "./owner-records";
import { PendingCreate } from "./pending-create";
import type { Processes } from "../core/process-identity";
import { StackRecords } from "./stack-records";

const CREATES_FOLDER = "creates";

/** What is recorded of a create before its first request. */
export interface CreateIntent {
  /** What will be sent, without secrets. */
  readonly sent: Values;
  /** Names of the inputs that will be sent as well and hold a secret. */
  readonly withheld: readonly string[];
  /** Objects that have the declared identity already: none of them is this create's. */
  readonly knownIds: readonly string[];
}

export interface LedgerOptions {
  /** The user's state folder; undefined where there is none. */
  readonly folder: string | undefined;
  /** Where the program's state is kept, as far as that is known. */
  readonly backend: string;
  /** The service and a hash of the credentials; throws where they are not configured. */
  readonly service: () => Pick<ResourceIdentity, "baseUrl" | "account">;
  readonly clock: Pick<Clock, "now">;
  readonly processes: Processes;
  readonly warn: (message: string) => void;
  /** Opens the files of one folder; another one in tests. */
  readonly open?: (directory: string) => DurableFiles<LedgerRecord>;
}

/** One file for each record, in a folder for each stack: a run pays for what its own stack left behind, and no more. */
export function openRecords(directory: string): DurableFiles<LedgerRecord> {
  return openDurableFiles(directory, ledgerRecord);
}

/**
 * What outlives a process in files of the user's state folder: which resources have an object (`owners`), and what this and
 * earlier processes have begun to write and the engine has not shown to know yet. What a killed process leaves here proves
 * which object an interrupted run made.
 *
 * A record is of one of two steps: a `create`, whose states `pending-create.ts` lists, or an `update`, which keeps outputs of an
 * object that the engine knows. Each ends when the engine shows that it knows what the record says, or when the object is
 * removed.
 */
export class Ledger {
  readonly owners: OwnerRecords;
  readonly #options: LedgerOptions;
  readonly #stacks = new Map<string, StackRecords>();
  /** Names of the records that this process is at work on, or knows the outcome of. */
  readonly #active = new Set<string>();
  #count = 0;
  #isRefusalTold = false;
  #isFolderChecked = false;

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.owners = new OwnerRecords(options.folder);
  }

  /** Before the first write of a run: one that cannot keep its ledger as another user has the folder must not begin. */
  requireOwnFolder(): void {
    const { folder } = this.#options;
    if (folder === undefined || this.#isFolderChecked) return;
    for (const name of [CREATES_FOLDER, OWNERS_FOLDER]) requireOwn(join(folder, name));
    for (const stack of tryOrUndefined(() => readdirSync(join(folder, CREATES_FOLDER))) ?? [])
      requireOwn(join(folder, CREATES_FOLDER, stack));
    this.#isFolderChecked = true;
  }

  /** The same as what a check finds, so that a preview refuses what no update begins. */
  listFolderFailures(): CheckFailure[] {
    try {
      this.requireOwnFolder();
      return [];
    } catch (error) {
      if (!(error instanceof ForeignFolderError)) throw error;
      return [{ path: "XDG_STATE_HOME", reason: error.message }];
    }
  }

  /** Begins a create. Nothing of it outlives the process until its first request leaves. Undefined without an owner. */
  beginCreate(claim: Claim, { sent, withheld, knownIds }: CreateIntent): PendingCreate | undefined {
    const records = this.#recordsOf(claim);
    if (records === undefined) return undefined;
    const name = this.#newName();
    records.holdInMemory(name, {
      ...this.#beginRecord(claim, "create"),
      sent,
      withheld: [...withheld],
      scope: claim.scope,
      knownIds: [...knownIds],
    });
    return this.#pendingCreate(records, name);
  }

  /** The creates of the resource that earlier runs, or this one, left with an outcome that is not known. */
  listPendingCreates(claim: Claim): readonly PendingCreate[] {
    const records = this.#recordsOf(claim);
    if (records === undefined) return [];
    const identity = this.#identify(claim);
    return records
      .listAll()
      .filter(
        ([name, record]) =>
          record.step === "create" && hasIdentity(record, identity) && !this.#active.has(name),
      )
      .map(([name]) => this.#pendingCreate(records, name));
  }

  /** What the same resource began under other credentials. */
  listCreatesOfOtherAccounts(claim: Claim): readonly LedgerRecord[] {
    const identity = this.#identify(claim);
    return this.#listCreates(claim)
      .filter(({ account }) => account !== identity.account)
      .filter((record) => hasIdentity(record, { ...identity, account: record.account }));
  }

  /** What other resources of the stack have begun to make of this type and scope, and nobody knows the id of. */
  listUnnamedCreatesOfOthers(claim: Claim): readonly LedgerRecord[] {
    const { owner, type, scope } = claim;
    return this.#listCreates(claim)
      .filter((record) => record.id === undefined && record.owner !== owner)
      .filter((record) => record.type === type && record.scope === scope);
  }

  /** Whether the object was made for another resource of the stack. */
  isMadeForAnother(claim: ObjectClaim): boolean {
    const records = this.#recordsOf(claim)?.listAbout(claim) ?? [];
    return records.some(([, { owner }]) => owner !== claim.owner);
  }

  /** Keeps outputs of an object that the engine knows, which must outlive this process. */
  keepOutputs(claim: ObjectClaim, outputs: Values): void {
    const records = this.#recordsOf(claim);
    if (records === undefined) return;
    const known = records
      .listAbout(claim)
      .find(([, { step, owner }]) => step === "update" && owner === claim.owner);
    if (known !== undefined) {
      const [name, record] = known;
      return records.write(name, { ...record, outputs });
    }
    const { scope, id } = claim;
    const nothingSent = { knownIds: [], sent: {}, withheld: [] };
    records.write(this.#newName(), {
      ...this.#beginRecord(claim, "update"),
      ...nothingSent,
      scope,
      id,
      outputs,
    });
  }

  /** What a run of the same resource that died kept of an object that the engine does not know. */
  findKept(claim: ObjectClaim): Values | undefined {
    const records = this.#recordsOf(claim)?.listAbout(claim) ?? [];
    return records.find(([, { step, owner }]) => step === "update" && owner === claim.owner)?.[1].outputs;
  }

  /**
   * The engine calls with the id of an object, and so shows that it has the object in its state, with these properties. Returns
   * the outputs that a run which died kept of it and that the state does not have.
   */
  confirmRecorded(claim: ObjectClaim, state: Values): Values | undefined {
    const records = this.#recordsOf(claim);
    if (records === undefined || records.isEmpty) return undefined;
    const others = this.owners.list(claim).filter(({ record }) => record !== claim.record);
    const isOwn = ({ owner, step }: LedgerRecord): boolean => {
      if (owner === claim.owner || !claim.isShared) return true;
      // What was kept under another name is this resource's all the same, unless another one that has a part has the name.
      return step === "update" && !others.some((other) => other.owner === owner);
    };
    for (const [name, record] of records.listAbout(claim)) {
      const isRecorded = record.step === "create" || isWithin(record.outputs ?? {}, state);
      if (isRecorded && isOwn(record)) records.remove(name);
    }
    return records.listAbout(claim).find(([, record]) => record.step === "update" && isOwn(record))?.[1]
      .outputs;
  }

  /** The object of the claim is removed: whatever was kept of it is over. */
  forgetObject(claim: ObjectClaim): void {
    const records = this.#recordsOf(claim);
    for (const [name] of records?.listAbout(claim) ?? []) records?.remove(name);
  }

  /** The object is removed, and with it whatever was, or may have been, made within it. */
  forgetWithin(claim: ObjectClaim): void {
    const records = this.#recordsOf(claim);
    for (const [name, { scope }] of records?.listAll() ?? []) {
      if (scope === claim.id && !this.#active.has(name)) records?.remove(name);
    }
  }

  #pendingCreate(records: StackRecords, name: string): PendingCreate {
    return new PendingCreate(name, records, this.#options.processes, this.#active);
  }

  #listCreates(claim: Claim): LedgerRecord[] {
    const all = this.#recordsOf(claim)?.listAll() ?? [];
    return all.flatMap(([, record]) => (record.step === "create" ? [record] : []));
  }

  #recordsOf({ stack }: Claim): StackRecords | undefined {
    if (stack === undefined) return undefined;
    const known = this.#stacks.get(stack);
    if (known !== undefined) return known;
    const { folder, backend, clock, warn, open = openRecords } = this.#options;
    const files = folder === undefined ? undefined : open(folderOfStack(folder, backend, stack));
    const onRefused = (error: unknown): void => this.#tellRefused(error);
    const records = new StackRecords({ files, nowMs: clock.now(), warn, onRefused });
    this.#stacks.set(stack, records);
    return records;
  }

  /** The name of a new record, which this process is at work on. */
  #newName(): string {
    const { folder, processes } = this.#options;
    if (folder === undefined) this.#tellRefused("the home folder is unknown");
    this.#count += 1;
    const name = `${processes.own.token}-${this.#count}.json`;
    this.#active.add(name);
    return name;
  }

  #identify({ owner, type }: Claim): ResourceIdentity {
    const { baseUrl, account } = this.#options.service();
    return { owner, type, baseUrl, account };
  }

  #beginRecord(
    claim: Claim,
    step: LedgerRecord["step"],
  ): ResourceIdentity & Pick<LedgerRecord, "step" | "process" | "beganAtMs" | "requests"> {
    const { processes, clock } = this.#options;
    return {
      ...this.#identify(claim),
      step,
      process: processes.own,
      beganAtMs: clock.now(),
      requests: [],
    };
  }

  #tellRefused(error: unknown): void {
    if (this.#isRefusalTold) return;
    this.#isRefusalTold = true;
    const { folder, warn } = this.#options;
    warn(
      `The ledger of creates in ${folder ?? "your user's state folder"} cannot be written (${String(error)}). The run continues. If it is ` +
        "killed during a create, you must take over the new object yourself, with `adopt`. Set XDG_STATE_HOME to a writable folder.",
    );
  }
}

/** The backend's address may hold a password: only a hash of it stands anywhere. */
function folderOfStack(folder: string, backend: string, stack: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([backend, stack]))
    .digest("hex");
  return join(folder, CREATES_FOLDER, hash.slice(0, 32));
}

function isWithin(outputs: Values, state: Values): boolean {
  return Object.entries(outputs).every(([name, value]) => diff(value, state[name]) === undefined);
}

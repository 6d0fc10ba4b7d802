import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { diff } from "deep-diff";
import type { Clock } from "../client/clock";
import type { CheckFailure } from "../define/resource";
import type { Values } from "../engine/step/state";
import { entrySchema, hasIdentity, type Entry, type Identity } from "./entry";
import { durableFiles, ForeignFolderError, requireOwn, type DurableFiles } from "./durable-files";
import { PendingCreate } from "./pending-create";
import type { Processes } from "./process-mark";
import { tryOrUndefined } from "../../spec/try-or-undefined";
import { StackEntries } from "./stack-entries";
import { type ObjectKey } from "./identity";
import { OWNERS_FOLDER } from "./object-owners";

const ENTRIES_FOLDER = "creates";

/** A resource of a program, as far as the journal distinguishes resources. */
export interface JournalSubject extends Identity {
  /** The stack with its project. */
  readonly stack: string;
}

export interface Intent {
  readonly sent: Values;
  readonly withheld: readonly string[];
  /** The parent within which the id will be unique. */
  readonly scope: string;
  readonly knownIds: readonly string[];
}

/** Whether an entry of the object is the resource's own: several may each have a part of one object. */
type IsOwn = (entry: Pick<Entry, "owner" | "step">) => boolean;

export interface JournalOptions {
  /** The user's state folder; undefined where there is none. */
  readonly folder: string | undefined;
  /** Where the program's state is kept, as far as that is known. */
  readonly backend: string;
  readonly clock: Pick<Clock, "now">;
  readonly processes: Processes;
  readonly warn: (message: string) => void;
  /** Opens the files of one folder; another one in tests. */
  readonly open?: (directory: string) => DurableFiles<Entry>;
}

/** One file for each entry, in a folder for each stack: a run pays for what its own stack left behind, and no more. */
export function openEntries(directory: string): DurableFiles<Entry> {
  return durableFiles(directory, entrySchema);
}

/**
 * What this and earlier processes have begun to write and the engine has not shown to know yet, in files of the user's
 * state folder. What a killed process leaves here proves which object an interrupted run made.
 *
 * An entry is of one of two steps: a `create`, whose states `pending-create.ts` lists, or an `update`, which keeps outputs
 * of an object that the engine knows. Each ends when the engine shows that it knows what the entry says, or when the object
 * is removed.
 */
export class Journal {
  readonly #options: JournalOptions;
  readonly #stacks = new Map<string, StackEntries>();
  /** Names of the entries that this process is at work on, or knows the outcome of. */
  readonly #active = new Set<string>();
  #count = 0;
  #isRefusalTold = false;
  #isFolderChecked = false;

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  /** Before the first write of a run: one that cannot keep its journal as another user has the folder must not begin. */
  requireOwnFolder(): void {
    const { folder } = this.#options;
    if (folder === undefined || this.#isFolderChecked) return;
    for (const name of [ENTRIES_FOLDER, OWNERS_FOLDER]) requireOwn(join(folder, name));
    for (const stack of tryOrUndefined(() => readdirSync(join(folder, ENTRIES_FOLDER))) ?? [])
      requireOwn(join(folder, ENTRIES_FOLDER, stack));
    this.#isFolderChecked = true;
  }

  /** The same as what a check finds, so that a preview refuses what no update begins. */
  folderFailures(): CheckFailure[] {
    try {
      this.requireOwnFolder();
      return [];
    } catch (error) {
      if (!(error instanceof ForeignFolderError)) throw error;
      return [{ path: "XDG_STATE_HOME", reason: error.message }];
    }
  }

  /** Begins a create. Nothing of it outlives the process until its first request leaves. */
  begin(subject: JournalSubject, { sent, withheld, scope, knownIds }: Intent): PendingCreate {
    const name = this.#newName();
    this.#entriesOf(subject.stack).note(name, {
      ...this.#begun(subject, "create"),
      sent,
      withheld: [...withheld],
      scope,
      knownIds: [...knownIds],
    });
    return this.#pendingCreate(subject.stack, name);
  }

  /** The creates of the resource that earlier runs, or this one, left with an outcome that is not known. */
  pendingCreates(subject: JournalSubject): readonly PendingCreate[] {
    return this.#entriesOf(subject.stack)
      .all()
      .filter(
        ([name, entry]) => entry.step === "create" && hasIdentity(entry, subject) && !this.#active.has(name),
      )
      .map(([name]) => this.#pendingCreate(subject.stack, name));
  }

  /** What the same resource began under other credentials. */
  underOtherAccounts(subject: JournalSubject): readonly Entry[] {
    return this.#creates(subject.stack)
      .filter(({ account }) => account !== subject.account)
      .filter((entry) => hasIdentity(entry, { ...identityOf(subject), account: entry.account }));
  }

  /** What other resources of the stack have begun to make of this type and scope, and nobody knows the id of. */
  unknownOfOthers({ stack, owner, type }: JournalSubject, scope: string): readonly Entry[] {
    return this.#creates(stack)
      .filter((entry) => entry.id === undefined && entry.owner !== owner)
      .filter((entry) => entry.type === type && entry.scope === scope);
  }

  /** Whether the object was made for another resource of the stack. */
  isOfAnother({ stack, owner }: JournalSubject, object: ObjectKey): boolean {
    return this.#entriesOf(stack)
      .about(object)
      .some(([, entry]) => entry.owner !== owner);
  }

  /** What of an object must survive this process, where the object itself is known to the engine. */
  keep(subject: JournalSubject, { scope, id }: Omit<ObjectKey, "type">, outputs: Values): void {
    const entries = this.#entriesOf(subject.stack);
    const known = entries
      .about({ type: subject.type, scope, id })
      .find(([, { step, owner }]) => step === "update" && owner === subject.owner);
    if (known !== undefined) {
      const [name, entry] = known;
      return entries.put(name, { ...entry, outputs });
    }
    const nothingSent = { knownIds: [], sent: {}, withheld: [] };
    entries.put(this.#newName(), { ...this.#begun(subject, "update"), ...nothingSent, scope, id, outputs });
  }

  /** What was kept of an object that the engine knows, and has not been recorded. */
  kept(stack: string, object: ObjectKey, isOwn: IsOwn = () => true): Values | undefined {
    return this.#entriesOf(stack)
      .about(object)
      .find(([, entry]) => entry.step === "update" && isOwn(entry))?.[1].outputs;
  }

  /** The engine shows that it has the object in its state, with these properties. */
  recorded(stack: string, object: ObjectKey, state: Values, isOwn: IsOwn = () => true): void {
    const entries = this.#entriesOf(stack);
    if (entries.isEmpty) return;
    for (const [name, entry] of entries.about(object)) {
      const isRecorded = entry.step === "create" || isWithin(entry.outputs ?? {}, state);
      if (isRecorded && isOwn(entry)) entries.remove(name);
    }
  }

  /** The object is removed, and whatever was kept of it is over. */
  gone(stack: string, object: ObjectKey): void {
    const entries = this.#entriesOf(stack);
    for (const [name] of entries.about(object)) entries.remove(name);
  }

  /** The object is removed, and with it whatever was, or may have been, made within it. */
  goneWithin(stack: string, scope: string): void {
    const entries = this.#entriesOf(stack);
    for (const [name, entry] of entries.all()) {
      if (entry.scope === scope && !this.#active.has(name)) entries.remove(name);
    }
  }

  #pendingCreate(stack: string, name: string): PendingCreate {
    return new PendingCreate(name, this.#entriesOf(stack), this.#options.processes, this.#active);
  }

  #creates(stack: string): Entry[] {
    return this.#entriesOf(stack)
      .all()
      .flatMap(([, entry]) => (entry.step === "create" ? [entry] : []));
  }

  #entriesOf(stack: string): StackEntries {
    const known = this.#stacks.get(stack);
    if (known !== undefined) return known;
    const { folder, backend, clock, warn, open = openEntries } = this.#options;
    const files = folder === undefined ? undefined : open(directoryOf(folder, backend, stack));
    const onRefused = (error: unknown): void => this.#tellRefused(error);
    const entries = new StackEntries({ files, nowMs: clock.now(), warn, onRefused });
    this.#stacks.set(stack, entries);
    return entries;
  }

  /** The name of a new entry, which this process is at work on. */
  #newName(): string {
    const { folder, processes } = this.#options;
    if (folder === undefined) this.#tellRefused("the home folder is unknown");
    this.#count += 1;
    const name = `${processes.own.token}-${this.#count}.json`;
    this.#active.add(name);
    return name;
  }

  #begun(
    subject: JournalSubject,
    step: Entry["step"],
  ): Identity & Pick<Entry, "step" | "process" | "beganAtMs" | "requests"> {
    const { processes, clock } = this.#options;
    return {
      ...identityOf(subject),
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
      `The journal of creates in ${folder ?? "your user's state folder"} cannot be written (${String(error)}). The run continues. If it is ` +
        "killed during a create, you must take over the new object yourself, with `adopt`. Set XDG_STATE_HOME to a writable folder.",
    );
  }
}

function identityOf({ owner, type, baseUrl, account }: JournalSubject): Identity {
  return { owner, type, baseUrl, account };
}

/** The backend's address may hold a password: only a hash of it stands anywhere. */
function directoryOf(folder: string, backend: string, stack: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([backend, stack]))
    .digest("hex");
  return join(folder, ENTRIES_FOLDER, hash.slice(0, 32));
}

function isWithin(outputs: Values, state: Values): boolean {
  return Object.entries(outputs).every(([name, value]) => diff(value, state[name]) === undefined);
}

import { createHash } from "node:crypto";
import { join } from "node:path";
import { diff } from "deep-diff";
import type { Clock } from "../../../client/clock";
import type { Values } from "../../state";
import { entrySchema, isOf, type Entry, type Identity, type SentRequest } from "./entry";
import { keptFiles, type KeptFiles } from "./kept-files";
import type { Processes } from "./process-mark";
import { StackEntries, type ObjectKey } from "./stack-entries";

/** A resource of a program, as far as the journal tells resources apart. */
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

/** A create that has begun in this process. Nothing outlives the process until the first write leaves. */
export interface OpenCreate {
  readonly entry: Entry | undefined;
  /** The last of these writes leaves now. */
  sending(requests: readonly SentRequest[]): void;
  /** What the service will answer is certain. */
  made(id: string, outputs: Values): void;
  /** The service has answered. */
  answered(id: string, outputs: Values): void;
  /** Nothing was made. */
  forget(): void;
  /** Nobody knows what these writes made: the next create of this resource looks for it. */
  leave(requests: readonly SentRequest[]): void;
}

/** A create that began and whose object the engine has not shown to know. */
export interface Leftover {
  /** As it is by now: the process that began it may have learned the id. */
  readonly entry: Entry | undefined;
  /** Whether the process that began it is still at it. */
  isRunning(): boolean;
  sending(requests: readonly SentRequest[]): void;
  made(id: string, outputs: Values): void;
  forget(): void;
}

/** Whether an entry of the object is the resource's own: several may each have a part of one object. */
type IsOwn = (entry: Pick<Entry, "owner" | "step">) => boolean;

/**
 * What this and earlier processes have begun to write and the engine has not shown to know yet, in files of the user's
 * state folder. What a killed process leaves here proves which object an interrupted run made.
 */
export interface Journal {
  begin(subject: JournalSubject, intent: Intent): OpenCreate;
  leftovers(subject: JournalSubject): readonly Leftover[];
  /** What the same resource began under other credentials. */
  underOtherAccounts(subject: JournalSubject): readonly Entry[];
  /** What of an object must survive this process, where the object itself is known to the engine. */
  keep(subject: JournalSubject, object: Omit<ObjectKey, "type">, outputs: Values): void;
  /** What was kept of an object that the engine knows, and has not been recorded. */
  kept(stack: string, object: ObjectKey, isOwn?: IsOwn): Values | undefined;
  /** The engine shows that it knows the object, with these properties. */
  shown(stack: string, object: ObjectKey, state: Values, isOwn?: IsOwn): void;
  /** The object is removed, and whatever was kept of it is over. */
  gone(stack: string, object: ObjectKey): void;
  /** Whether the object was made for another resource of the stack. */
  isOfAnother(subject: JournalSubject, object: ObjectKey): boolean;
  /** What other resources of the stack have begun to make of this type and scope, and nobody knows the id of. */
  unknownOfOthers(subject: JournalSubject, scope: string): readonly Entry[];
  /** The object is removed, and with it whatever was, or may have been, made within it. */
  goneWithin(stack: string, scope: string): void;
}

export interface JournalOptions {
  /** The user's state folder; undefined where there is none. */
  readonly folder: string | undefined;
  /** Where the program's state is kept, as far as that is known. */
  readonly backend: string;
  readonly clock: Pick<Clock, "now">;
  readonly processes: Processes;
  readonly warn: (message: string) => void;
  /** Opens the files of one folder; another one in tests. */
  readonly open?: (directory: string) => KeptFiles<Entry>;
}

/** One file for each entry, in a folder for each stack: a run pays for what its own stack left behind, and no more. */
export function entriesIn(directory: string): KeptFiles<Entry> {
  return keptFiles(directory, entrySchema);
}

export function createJournal(options: JournalOptions): Journal {
  const { folder, backend, clock, processes, warn, open: openFiles = entriesIn } = options;
  const stacks = new Map<string, StackEntries>();
  /** Entries of this process whose outcome is known here, or still to come. */
  const open = new Set<string>();
  let count = 0;
  let isRefusalTold = false;

  const onRefused = (error: unknown): void => {
    if (isRefusalTold) return;
    isRefusalTold = true;
    warn(
      `The journal of creates in ${folder ?? "your user's state folder"} cannot be kept (${String(error)}). The run goes on; were it ` +
        "killed while it creates something, that would have to be taken over by hand, with `adopt`. Set XDG_STATE_HOME to a folder that can be written.",
    );
  };

  const entriesOf = (stack: string): StackEntries => {
    const known = stacks.get(stack);
    if (known !== undefined) return known;
    const files = folder === undefined ? undefined : openFiles(directoryOf(folder, backend, stack));
    const entries = new StackEntries({ files, nowMs: clock.now(), warn, onRefused });
    stacks.set(stack, entries);
    return entries;
  };

  const add = (stack: string, entry: Omit<Entry, "process" | "beganAtMs">, keep: "put" | "note"): string => {
    if (folder === undefined) onRefused("there is no home folder");
    count += 1;
    const name = `${processes.own.token}-${count}.json`;
    open.add(name);
    entriesOf(stack)[keep](name, { ...entry, process: processes.own, beganAtMs: clock.now() });
    return name;
  };

  const change = (stack: string, name: string, changes: Partial<Entry>): void => {
    const entries = entriesOf(stack);
    const entry = entries.get(name);
    if (entry !== undefined) entries.put(name, { ...entry, ...changes });
  };

  const leftover = (stack: string, name: string): Leftover => ({
    get entry() {
      return entriesOf(stack).get(name);
    },
    isRunning: () => {
      const entry = entriesOf(stack).get(name);
      if (entry === undefined || entry.process.token === processes.own.token) return false;
      if (processes.isRunning(entry.process)) return true;
      // It may have learned the id in its last moments.
      entriesOf(stack).again(name);
      return false;
    },
    sending: (requests) => change(stack, name, { requests: [...requests], process: processes.own }),
    made: (id, outputs) => {
      open.add(name);
      change(stack, name, { id, outputs, process: processes.own });
    },
    forget: () => entriesOf(stack).remove(name),
  });

  return {
    begin: (subject, { sent, withheld, scope, knownIds }) => {
      const { stack } = subject;
      const entry = { ...identityOf(subject), step: "create" as const, requests: [], sent, scope };
      const name = add(stack, { ...entry, knownIds: [...knownIds], withheld: [...withheld] }, "note");
      return {
        get entry() {
          return entriesOf(stack).get(name);
        },
        sending: (requests) => change(stack, name, { requests: [...requests] }),
        made: (id, outputs) => change(stack, name, { id, outputs }),
        answered: (id, outputs) => change(stack, name, { id, outputs, isAnswered: true }),
        forget: () => entriesOf(stack).remove(name),
        leave: (requests) => {
          open.delete(name);
          change(stack, name, { requests: [...requests] });
        },
      };
    },
    leftovers: (subject) =>
      entriesOf(subject.stack)
        .all()
        .filter(([name, entry]) => entry.step === "create" && isOf(entry, subject) && !open.has(name))
        .map(([name]) => leftover(subject.stack, name)),
    underOtherAccounts: (subject) =>
      entriesOf(subject.stack)
        .all()
        .map(([, entry]) => entry)
        .filter(({ step, account }) => step === "create" && account !== subject.account)
        .filter((entry) => isOf(entry, { ...identityOf(subject), account: entry.account })),
    keep: (subject, { scope, id }, outputs) => {
      const { stack, type } = subject;
      const known = entriesOf(stack)
        .about({ type, scope, id })
        .find(([, { step, owner }]) => step === "update" && owner === subject.owner);
      if (known !== undefined) return change(stack, known[0], { outputs });
      const nothingSent = { requests: [], knownIds: [], sent: {}, withheld: [] };
      add(stack, { ...identityOf(subject), ...nothingSent, step: "update", scope, id, outputs }, "put");
    },
    kept: (stack, object, isOwn = () => true) =>
      entriesOf(stack)
        .about(object)
        .find(([, entry]) => entry.step === "update" && isOwn(entry))?.[1].outputs,
    shown: (stack, object, state, isOwn = () => true) => {
      const entries = entriesOf(stack);
      if (entries.isEmpty) return;
      for (const [name, entry] of entries.about(object)) {
        const isKnown = entry.step === "create" || isWithin(entry.outputs ?? {}, state);
        if (isKnown && isOwn(entry)) entries.remove(name);
      }
    },
    gone: (stack, object) => {
      const entries = entriesOf(stack);
      for (const [name] of entries.about(object)) entries.remove(name);
    },
    isOfAnother: ({ stack, owner }, object) =>
      entriesOf(stack)
        .about(object)
        .some(([, entry]) => entry.owner !== owner),
    unknownOfOthers: ({ stack, owner, type }, scope) =>
      entriesOf(stack)
        .all()
        .map(([, entry]) => entry)
        .filter((entry) => entry.step === "create" && entry.id === undefined && entry.owner !== owner)
        .filter((entry) => entry.type === type && entry.scope === scope),
    goneWithin: (stack, scope) => {
      const entries = entriesOf(stack);
      for (const [name, entry] of entries.all()) {
        if (entry.scope === scope && !open.has(name)) entries.remove(name);
      }
    },
  };
}

function identityOf({ owner, type, baseUrl, account }: JournalSubject): Identity {
  return { owner, type, baseUrl, account };
}

/** The backend's address may hold a password: only a hash of it stands anywhere. */
function directoryOf(folder: string, backend: string, stack: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([backend, stack]))
    .digest("hex");
  return join(folder, "creates", hash.slice(0, 32));
}

function isWithin(outputs: Values, state: Values): boolean {
  return Object.entries(outputs).every(([name, value]) => diff(value, state[name]) === undefined);
}

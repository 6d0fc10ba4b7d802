import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { tryOrUndefined } from "../../spec/try-or-undefined";
import { formatObjectKey, type ObjectClaim, type ObjectKey } from "./claim";
import { openDurableFiles } from "./durable-files";
import { stackOf } from "./owner";

/** Of the user's state folder. */
export const OWNERS_FOLDER = "holders";

/** A resource that has an object. Holds no secrets. */
export interface OwnerRecord {
  readonly owner: string;
  /** Distinguishes Pulumi's record of it from other records of the object; the latest is the greatest. */
  readonly record: string;
  /** What other resources that have the object must know. */
  readonly shared: Readonly<Record<string, unknown>>;
}

const owners = z.array(
  z.object({ owner: z.string(), record: z.string(), shared: z.record(z.string(), z.unknown()) }),
);

/**
 * Which resources have an object: a resource that was renamed, moved or replaced may have left it to another one, whose
 * object must then not be removed by the old one's delete. Across programs, in one file for each object.
 */
export class OwnerRecords {
  readonly #files: OwnerFiles;
  /** What this run has seen declared or made; it outranks what earlier runs left behind. */
  readonly #present = new Map<string, OwnerRecord[]>();

  /** `folder` is the user's state folder; without one, what is known lives as long as the process. */
  constructor(folder: string | undefined) {
    this.#files = openOwnerFiles(folder);
  }

  /** All that are known, the latest last. */
  list(object: ObjectKey): readonly OwnerRecord[] {
    return this.#listAll(hashKey(object));
  }

  /** Those who have the object in place of, or where it is shared beside, the resource of this claim. */
  listOthers(claim: ObjectClaim): readonly OwnerRecord[] {
    const key = hashKey(claim);
    const isOther = ({ record }: OwnerRecord): boolean => record !== claim.record;
    if (claim.isShared) return this.#listAll(key).filter(isOther);
    const inThisRun = this.#listPresent(key).filter(isOther);
    return inThisRun.length > 0
      ? inThisRun
      : this.#files.read(key).filter(({ record }) => record > claim.record);
  }

  /** A record later than all before, for what is read into a state that is not kept yet. */
  nextRecord(object: ObjectKey, nowMs: number): string {
    return makeLaterRecord(this.list(object).at(-1)?.record ?? "", nowMs);
  }

  /** The resource has made the object or taken it over; returns the record that its state is to bear. */
  add(claim: ObjectClaim, shared: OwnerRecord["shared"], nowMs: number): string {
    const key = hashKey(claim);
    const added = { owner: claim.owner, shared, record: this.nextRecord(claim, nowMs) };
    this.#present.set(key, addOwner(this.#listPresent(key), added));
    const kept = this.#files.read(key).filter(({ owner }) => owner !== claim.owner);
    this.#files.write(key, addOwner(kept, added));
    return added.record;
  }

  /** The program declares the object by the record of this claim. */
  declare({ owner, record, stack, isShared, ...object }: ObjectClaim, shared: OwnerRecord["shared"]): void {
    const key = hashKey(object);
    const declared = { owner, record, shared };
    this.#present.set(key, addOwner(this.#listPresent(key), declared));
    const kept = this.#files.read(key);
    const known = kept.find((each) => each.record === record);
    // A later record of this stack is of a run that was killed before Pulumi knew of it, or of a program that has been taken back.
    // Another stack has taken the object over, and this one's program may not know of it.
    const valid = kept.filter(
      (each) => each.record <= record || stackOf(each.owner) !== stack || (isShared && each.owner !== owner),
    );
    // A record that no file has matters only beside others: an object that one program made and another one has imported.
    const isKept =
      known === undefined
        ? !isShared && valid.every((each) => each.owner === owner)
        : JSON.stringify(known) === JSON.stringify(declared);
    if (!isKept || valid.length < kept.length) this.#files.write(key, addOwner(valid, declared));
  }

  /** The resource of this claim has the object no longer. */
  remove(claim: ObjectClaim): void {
    const key = hashKey(claim);
    const without = (some: readonly OwnerRecord[]): OwnerRecord[] =>
      some.filter(({ record }) => record !== claim.record);
    const remaining = without(this.#listAll(key));
    this.#present.set(key, without(this.#listPresent(key)));
    this.#files.write(key, remaining);
  }

  /** The object is no more. */
  removeAll(object: ObjectKey): void {
    const key = hashKey(object);
    this.#present.delete(key);
    this.#files.write(key, []);
  }

  #listPresent(key: string): readonly OwnerRecord[] {
    return this.#present.get(key) ?? [];
  }

  #listAll(key: string): readonly OwnerRecord[] {
    return this.#listPresent(key).reduce<readonly OwnerRecord[]>(addOwner, this.#files.read(key));
  }
}

function hashKey(object: ObjectKey): string {
  return createHash("sha256").update(formatObjectKey(object)).digest("hex").slice(0, 32);
}

function addOwner(some: readonly OwnerRecord[], owner: OwnerRecord): OwnerRecord[] {
  return [...some.filter(({ record }) => record !== owner.record), owner].sort((one, other) =>
    one.record < other.record ? -1 : 1,
  );
}

const TIME_DIGITS = 9;

/** A record later than another one, whatever the clocks of the machines say. */
function makeLaterRecord(latest: string, nowMs: number): string {
  const latestMs = Number.parseInt(latest.slice(0, TIME_DIGITS) || "0", 36);
  const ms = Math.max(Math.floor(nowMs), latestMs + 1);
  return `${ms.toString(36).padStart(TIME_DIGITS, "0")}-${randomBytes(4).toString("hex")}`;
}

interface OwnerFiles {
  read(key: string): readonly OwnerRecord[];
  write(key: string, owners: readonly OwnerRecord[]): void;
}

/** The ledger warns when the folder cannot be written. */
function openOwnerFiles(folder: string | undefined): OwnerFiles {
  const directory = folder === undefined ? undefined : join(folder, OWNERS_FOLDER);
  if (directory === undefined) return { read: () => [], write: () => undefined };
  const files = openDurableFiles(directory, owners);
  return {
    read: (key) => files.read(`${key}.json`) ?? [],
    write: (key, some) => {
      tryOrUndefined(() => {
        if (some.length === 0) files.remove(`${key}.json`);
        else files.write(`${key}.json`, [...some]);
      });
    },
  };
}

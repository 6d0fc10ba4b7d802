import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { tryOrUndefined } from "../../spec/try-or-undefined";
import { durableFiles } from "./durable-files";
import type { ObjectKey } from "./identity";

/** Of the user's state folder. */
export const OWNERS_FOLDER = "holders";

/** A resource that has an object. Holds no secrets. */
export interface ObjectOwner {
  /** Which resource of which program it is. */
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
 * object must then not be removed by the old one's delete. Across programs, in files of the user's state folder.
 */
export interface ObjectOwners {
  /** A resource has made the object or taken it over; the record that its state is to bear. */
  add(object: ObjectKey, objectOwner: Omit<ObjectOwner, "record">, nowMs: number): string;
  /** A record later than all before, for what is read into a state that is not kept yet. */
  nextRecord(object: ObjectKey, nowMs: number): string;
  /** A program declares the object. `isShared` where several resources may each manage a part of it. */
  declared(object: ObjectKey, objectOwner: ObjectOwner, isShared: boolean): void;
  /** All that are known, the latest last. */
  all(object: ObjectKey): readonly ObjectOwner[];
  /** Those who have the object in place of, or where it is shared beside, the resource of this record. */
  others(object: ObjectKey, record: string, isShared: boolean): readonly ObjectOwner[];
  /** A resource was refused in this run because the object exists. */
  refused(object: ObjectKey, owner: string): void;
  /** Who was refused the object in this run. */
  refusedTo(object: ObjectKey): string | undefined;
  /** The resource of this record has the object no longer. */
  remove(object: ObjectKey, record: string): void;
  /** The object is no more. */
  gone(object: ObjectKey): void;
}

/** `folder` is the user's state folder; without one, what is known lives as long as the process. */
export function createObjectOwners(folder: string | undefined): ObjectOwners {
  const files = ownerFiles(folder);
  /** What this run has seen declared or made; it outranks what earlier runs left behind. */
  const present = new Map<string, ObjectOwner[]>();
  const refusals = new Map<string, string>();
  const keyOf = ({ type, scope, id }: ObjectKey): string =>
    createHash("sha256")
      .update(JSON.stringify([type, scope, id]))
      .digest("hex")
      .slice(0, 32);
  const presentAt = (key: string): readonly ObjectOwner[] => present.get(key) ?? [];
  const withOwner = (some: readonly ObjectOwner[], objectOwner: ObjectOwner): ObjectOwner[] =>
    [...some.filter(({ record }) => record !== objectOwner.record), objectOwner].sort(byRecord);
  const all = (key: string): readonly ObjectOwner[] =>
    presentAt(key).reduce<readonly ObjectOwner[]>(withOwner, files.read(key));

  const next = (key: string, nowMs: number): string => recordAfter(all(key).at(-1)?.record ?? "", nowMs);

  return {
    all: (object) => all(keyOf(object)),
    nextRecord: (object, nowMs) => next(keyOf(object), nowMs),
    add: (object, objectOwner, nowMs) => {
      const key = keyOf(object);
      const added = { ...objectOwner, record: next(key, nowMs) };
      present.set(key, withOwner(presentAt(key), added));
      const kept = files.read(key).filter(({ owner }) => owner !== objectOwner.owner);
      files.write(key, withOwner(kept, added));
      return added.record;
    },
    declared: (object, objectOwner, isShared) => {
      const key = keyOf(object);
      present.set(key, withOwner(presentAt(key), objectOwner));
      const kept = files.read(key);
      const known = kept.find(({ record }) => record === objectOwner.record);
      // A later record is of a run that was killed before Pulumi knew of it, or of a program that has been taken back.
      const isValid = ({ owner, record }: ObjectOwner): boolean =>
        record <= objectOwner.record || (isShared && owner !== objectOwner.owner);
      const valid = kept.filter(isValid);
      const isKept = known === undefined ? !isShared : JSON.stringify(known) === JSON.stringify(objectOwner);
      if (!isKept || valid.length < kept.length) files.write(key, withOwner(valid, objectOwner));
    },
    others: (object, record, isShared) => {
      const key = keyOf(object);
      const isOther = (objectOwner: ObjectOwner): boolean => objectOwner.record !== record;
      if (isShared) return all(key).filter(isOther);
      const [inThisRun, later] = [
        presentAt(key).filter(isOther),
        files.read(key).filter((objectOwner) => objectOwner.record > record),
      ];
      return inThisRun.length > 0 ? inThisRun : later;
    },
    refused: (object, owner) => void refusals.set(keyOf(object), owner),
    refusedTo: (object) => refusals.get(keyOf(object)),
    remove: (object, record) => {
      const key = keyOf(object);
      const remaining = (some: readonly ObjectOwner[]): ObjectOwner[] =>
        some.filter((each) => each.record !== record);
      present.set(key, remaining(presentAt(key)));
      files.write(key, remaining(all(key)));
    },
    gone: (object) => {
      const key = keyOf(object);
      present.delete(key);
      files.write(key, []);
    },
  };
}

function byRecord(one: ObjectOwner, other: ObjectOwner): number {
  return one.record < other.record ? -1 : 1;
}

const TIME_DIGITS = 9;

/** A record later than another one, whatever the clocks of the machines say. */
function recordAfter(latest: string, nowMs: number): string {
  const latestMs = Number.parseInt(latest.slice(0, TIME_DIGITS) || "0", 36);
  const ms = Math.max(Math.floor(nowMs), latestMs + 1);
  return `${ms.toString(36).padStart(TIME_DIGITS, "0")}-${randomBytes(4).toString("hex")}`;
}

interface OwnerFiles {
  read(key: string): readonly ObjectOwner[];
  write(key: string, owners: readonly ObjectOwner[]): void;
}

/** One file for each object. The journal warns when the folder cannot be written. */
function ownerFiles(folder: string | undefined): OwnerFiles {
  const directory = folder === undefined ? undefined : join(folder, OWNERS_FOLDER);
  if (directory === undefined) return { read: () => [], write: () => undefined };
  const files = durableFiles(directory, owners);
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

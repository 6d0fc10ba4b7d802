import { DEFAULT_USER } from "../../service/access/tokens";
import { addProject } from "../../service/rules/projects/new-project";
import { newAuthBehaviour } from "../../service/world/records/auth";
import { newOAuthRecords } from "../../service/world/records/oauth";
import { newOrganization } from "../../service/world/records/organization";
import type { CallLog } from "../../service/world/call-log";
import { createState } from "../../service/create-state";
import type { FixedSeed } from "../seeding/seed";
import type { WorldState } from "../../service/world/state";
import { TrackedMap } from "../../service/world/tracked-map";
import type { World } from "../../service/world/world";
import type { StoredRecord } from "./record-file";
import type { EmulatorClock } from "../../service/world/clock";

/** The running emulator, as far as it outlives its process. */
export interface DurableParts {
  readonly world: World;
  readonly usedRefs: ReadonlySet<string>;
  readonly seed: FixedSeed;
  readonly clock: EmulatorClock;
  readonly log: CallLog;
}

/** What outlived it. */
export interface RestoredParts extends Session {
  readonly state: WorldState;
  readonly usedRefs: ReadonlySet<string>;
  /** The time at which it stopped, where it is to go on from there. */
  readonly exportedAt?: number;
}

interface Session {
  readonly seed: FixedSeed;
  readonly pace: number;
  readonly clockOffsetMs: number;
  readonly callsAreIncomplete: boolean;
  /** Of the databases, where they have some. */
  readonly addressBlock?: number;
}

interface RemovedRecord {
  readonly collection: string;
  readonly key: string;
  readonly isRemoved: true;
}

/** Collections beside those of the state's maps: of the emulator itself, and of the state's other fields. */
const EMULATOR = "emulator";
const STATE = "state";

/** The record of an exported world that holds the time of its export. */
export const EXPORTED = { collection: EMULATOR, key: "exportedAt" } as const;

/** Every value that is kept: the entries of the state's maps one by one, so that a change writes little. */
export function* recordsOf(
  { world, usedRefs, seed, clock, log }: DurableParts,
  onlyDirty: boolean,
): Iterable<StoredRecord | RemovedRecord> {
  const block = world.addresses?.block;
  const session: Session = {
    seed,
    pace: world.pace,
    clockOffsetMs: clock.offsetMs ?? 0,
    callsAreIncomplete: log.isIncomplete,
    ...(block !== undefined && { addressBlock: block }),
  };
  yield { collection: EMULATOR, key: "session", value: session };
  yield { collection: EMULATOR, key: "usedRefs", value: usedRefs };
  yield { collection: EMULATOR, key: "fields", value: Object.keys(world.state) };
  for (const [field, value] of fieldsOf(world.state)) {
    if (!(value instanceof Map)) {
      yield { collection: STATE, key: field, value };
      continue;
    }
    const keys = onlyDirty && value instanceof TrackedMap ? value.dirtyKeys : value.keys();
    for (const key of keys) {
      // The keys' types are kept as well.
      const place = { collection: field, key: JSON.stringify(key) };
      yield value.has(key) ? { ...place, value: value.get(key) as unknown } : { ...place, isRemoved: true };
    }
  }
}

/** What `recordsOf` gave, put together again; undefined when nothing was ever kept. */
export function restoredFrom(records: readonly StoredRecord[]): RestoredParts | undefined {
  const collections = Map.groupBy(records, ({ collection }) => collection);
  const entriesOf = (collection: string): [string, unknown][] =>
    (collections.get(collection) ?? []).map(({ key, value }) => [key, value]);

  // What is under these keys `recordsOf` has put there.
  const emulator = new Map(entriesOf(EMULATOR));
  const session = emulator.get("session") as Session | undefined;
  if (session === undefined) return undefined;
  const usedRefs = emulator.get("usedRefs") as Set<string>;
  const exportedAt = emulator.get(EXPORTED.key) as number | undefined;
  const keptFields = new Set(emulator.get("fields") as string[]);

  const values = new Map(entriesOf(STATE));
  const state = tracked(createState({ organizations: [] }), (field, fresh) => {
    // An older emulator did not have it.
    if (!keptFields.has(field)) return fresh;
    if (!(fresh instanceof Map)) return values.get(field);
    return new Map(entriesOf(field).map(([key, value]) => [JSON.parse(key) as unknown, value]));
  });
  return { ...session, usedRefs, state, ...(exportedAt !== undefined && { exportedAt }) };
}

/** Gives records that an older emulator wrote the fields which were added since, as new records have them. */
export function addNewFields(world: World): void {
  const { auth, oauth, organizations, projects } = world.state;
  addAbsent(auth, newAuthBehaviour());
  addAbsent(oauth, newOAuthRecords());
  for (const organization of organizations.values()) {
    addAbsent(organization, newOrganization(organization, DEFAULT_USER));
  }
  const elsewhere: World = { ...world, state: createState({ organizations: [] }) };
  for (const project of projects.values()) {
    const model = addProject(elsewhere, {
      ...project,
      size: undefined,
      engine: undefined,
      releaseChannel: undefined,
      templateUrl: null,
      outcome: "ACTIVE_HEALTHY",
    });
    addAbsent(project, model);
    // Kept by an emulator that listed invitations without addresses: no edit of the project is to fail by it.
    Reflect.deleteProperty(project.newer, "jitInvitations");
  }
}

/** Also within plain objects; maps and lists are what was kept. */
function addAbsent(record: object, model: object): void {
  for (const [key, value] of fieldsOf(model)) {
    const present: unknown = Reflect.get(record, key);
    if (present === undefined) Reflect.set(record, key, value);
    else if (isPlain(present) && isPlain(value)) addAbsent(present, value);
  }
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** A state of the same fields, with maps that know what was changed in them; `contentOf` gives a field other content. */
export function tracked(
  state: WorldState,
  contentOf: (field: string, content: unknown) => unknown = (_, content) => content,
): WorldState {
  const fields = fieldsOf(state).map(([field, own]) => {
    const content = contentOf(field, own);
    return [field, content instanceof Map ? TrackedMap.of(content) : content];
  });
  return Object.fromEntries(fields) as WorldState;
}

/** To be called once everything that was changed is kept. */
export function markClean(state: WorldState): void {
  for (const [, value] of fieldsOf(state)) if (value instanceof TrackedMap) value.markClean();
}

function fieldsOf(record: object): [string, unknown][] {
  return Object.entries(record);
}

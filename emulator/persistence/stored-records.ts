import type { CallLog } from "../world/call-log";
import type { EmulatorClock } from "../emulator";
import { addProject } from "../rules/projects/new-project";
import { newAuthBehaviour } from "../rules/records/auth";
import { newOAuthRecords } from "../rules/records/oauth";
import { newOrganization } from "../rules/records/organization";
import type { FixedSeed } from "../world/seed";
import { createState } from "../world/create-state";
import type { State } from "../world/state";
import { DEFAULT_USER } from "../access/tokens";
import { TrackedMap } from "../world/tracked-map";
import type { World } from "../world/world";
import type { StoredRecord } from "./record-file";

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
  readonly state: State;
  readonly usedRefs: ReadonlySet<string>;
}

interface Session {
  readonly seed: FixedSeed;
  readonly pace: number;
  readonly clockOffsetMs: number;
  readonly callsAreIncomplete: boolean;
}

interface GoneRecord {
  readonly collection: string;
  readonly key: string;
  readonly isGone: true;
}

/** Collections of the emulator's own, beside those of the state's maps. */
const EMULATOR = "emulator";
const STATE = "state";

/** Every value that is kept: the entries of the state's maps one by one, so that a change writes little. */
export function* recordsOf(
  { world, usedRefs, seed, clock, log }: DurableParts,
  onlyDirty: boolean,
): Iterable<StoredRecord | GoneRecord> {
  const session: Session = {
    seed,
    pace: world.pace,
    clockOffsetMs: clock.offsetMs ?? 0,
    callsAreIncomplete: log.isIncomplete,
  };
  yield { collection: EMULATOR, key: "session", value: session };
  yield { collection: EMULATOR, key: "usedRefs", value: usedRefs };
  yield { collection: EMULATOR, key: "fields", value: Object.keys(world.state) };
  for (const [field, value] of Object.entries(world.state) as [string, unknown][]) {
    if (value instanceof Map) {
      const keys = onlyDirty && value instanceof TrackedMap ? value.dirtyKeys : value.keys();
      for (const key of keys) {
        // The keys' types are kept as well.
        const place = { collection: field, key: JSON.stringify(key) };
        yield value.has(key) ? { ...place, value: value.get(key) as unknown } : { ...place, isGone: true };
      }
    } else {
      yield { collection: STATE, key: field, value };
    }
  }
}

/** The same state with maps that know what was changed in them. */
export function tracked(state: State): State {
  const fields = Object.entries(state).map(([field, value]: [string, unknown]) => [
    field,
    value instanceof Map ? TrackedMap.of(value) : value,
  ]);
  // The same fields with the same contents.
  return Object.fromEntries(fields) as State;
}

/** To be called once everything that was changed is kept. */
export function markClean(state: State): void {
  for (const value of Object.values(state) as unknown[]) if (value instanceof TrackedMap) value.markClean();
}

/** Undefined when nothing was ever kept. */
export function restoredFrom(records: readonly StoredRecord[]): RestoredParts | undefined {
  const own = collection(records, EMULATOR);
  const session = own.get("session");
  if (session === undefined) return undefined;
  return {
    // This and the others: what `recordsOf` gave.
    ...(session as Session),
    usedRefs: own.get("usedRefs") as Set<string>,
    state: stateFrom(records, new Set(own.get("fields") as string[])),
  };
}

/** Fields that were not kept, because an older emulator did not have them, are as in a new state. */
function stateFrom(records: readonly StoredRecord[], keptFields: ReadonlySet<string>): State {
  const state = createState({ organizations: [] });
  const values = collection(records, STATE);
  const kept = Object.entries(state).flatMap(([field, value]: [string, unknown]): [string, unknown][] => {
    if (!keptFields.has(field)) return [];
    if (!(value instanceof Map)) return [[field, values.get(field)]];
    const entries = [...collection(records, field)].map(([key, entry]): [unknown, unknown] => [
      JSON.parse(key) as unknown,
      entry,
    ]);
    return [[field, TrackedMap.of(new Map(entries))]];
  });
  return { ...state, ...Object.fromEntries(kept) };
}

function collection(records: readonly StoredRecord[], name: string): Map<string, unknown> {
  return new Map(records.filter((each) => each.collection === name).map(({ key, value }) => [key, value]));
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
    addAbsent(
      project,
      addProject(elsewhere, {
        organizationSlug: project.organizationSlug,
        branchId: project.branchId,
        name: project.name,
        region: project.region,
        dbPass: project.dbPass,
        size: undefined,
        engine: undefined,
        releaseChannel: undefined,
        templateUrl: null,
        outcome: "ACTIVE_HEALTHY",
      }),
    );
  }
}

/** Also within plain objects; maps and lists are what was kept. */
function addAbsent(record: object, model: object): void {
  for (const [key, value] of Object.entries(model) as [string, unknown][]) {
    const present: unknown = Reflect.get(record, key);
    if (present === undefined) Reflect.set(record, key, value);
    else if (isPlain(present) && isPlain(value)) addAbsent(present, value);
  }
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

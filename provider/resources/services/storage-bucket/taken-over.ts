import { z } from "zod";
import { listSettings, type BucketSettings, type SettingName } from "./bucket-sql";

/** What a new bucket has that nothing is declared of. */
export const NEW_BUCKET: Required<BucketSettings> = {
  public: false,
  fileSizeLimit: null,
  allowedMimeTypes: null,
};

const storedSettings = z.object({
  public: z.boolean().nullish(),
  fileSizeLimit: z.number().nullish(),
  allowedMimeTypes: z.array(z.string()).nullish(),
});

/** No program's, as its name begins with `__`. */
export const bookkeeping = z.object({
  /** What a bucket had that was taken over. */
  __found: storedSettings.optional(),
  /** What it has by this program: what was found, and what was written since. */
  __written: storedSettings.optional(),
});

/** What is known of a bucket that was taken over. */
export interface TakenOver {
  readonly found: BucketSettings;
  readonly written: BucketSettings;
}

/** The time at which a bucket was created, as far as it is known. */
export interface KnownTime {
  readonly createdAt?: string | undefined;
}

/**
 * What is known of a bucket that was taken over, by the state and by what a run that died kept of that bucket, not of an earlier one
 * of its name. What the service `shows` tells whether that run's write arrived.
 */
export function recallTakenOver(
  state: BucketSettings & KnownTime,
  kept: object,
  shows?: KnownTime & { readonly settings: BucketSettings },
): TakenOver | undefined {
  const own = parseBookkeeping(state);
  const { createdAt, ...ofDeadRun } = parseBookkeeping(kept);
  const present = shows?.createdAt ?? state.createdAt;
  const isOfAnother = createdAt !== undefined && present !== undefined && createdAt !== present;
  const left = isOfAnother ? {} : ofDeadRun;
  const shown = shows?.settings;
  const found = own.__found ?? left.__found;
  if (found === undefined) return undefined;
  // An earlier version remembered what it wrote as the declared settings only.
  const before = own.__written ?? (own.__found === undefined ? {} : pickSettings(state));
  const later = left.__written ?? {};
  const arrived = pickSettings(
    later,
    (name) => before[name] === undefined || shown === undefined || isSame(shown[name], later[name]),
  );
  return { found, written: { ...before, ...arrived } };
}

export function toBookkeeping(known: TakenOver | undefined): Partial<z.output<typeof bookkeeping>> {
  return known === undefined ? {} : { __found: { ...known.found }, __written: { ...known.written } };
}

const remembered = bookkeeping.extend({ createdAt: z.string().optional() });

function parseBookkeeping(values: object): z.output<typeof remembered> {
  return remembered.catch({}).parse(values);
}

/** What becomes of settings of a bucket that was taken over, once they are declared no longer. */
export interface SettingsReturn {
  /** Those to write, as they were found. */
  readonly settings: BucketSettings;
  /** Those that somebody has set since this program did. They stay. */
  readonly changedSince: readonly SettingName[];
  /** Whether `public` stays false although true was found. */
  readonly staysClosed: boolean;
}

/** A setting returns while the service has what this program gave it, and unless that opens the bucket. */
export function planReturn(
  names: readonly SettingName[],
  shown: BucketSettings,
  { found, written }: TakenOver,
): SettingsReturn {
  const back: BucketSettings = { ...NEW_BUCKET, ...found };
  const differing = names.filter((name) => shown[name] !== undefined && !isSame(shown[name], back[name]));
  const own = differing.filter((name) => isSame(shown[name], written[name]));
  const opens = (name: SettingName): boolean => name === "public" && back.public === true;
  return {
    settings: pickSettings(back, (name) => own.includes(name) && !opens(name)),
    changedSince: differing.filter((name) => !own.includes(name)),
    staysClosed: own.some(opens),
  };
}

/** The settings within inputs or a state, of these names. */
export function pickSettings(
  values: BucketSettings,
  isPicked: (name: SettingName) => boolean = () => true,
): BucketSettings {
  return Object.fromEntries(
    listSettings(values).flatMap((name) => (isPicked(name) ? [[name, values[name]]] : [])),
  );
}

/** Types of files have no order. */
function isSame(one: unknown, other: unknown): boolean {
  const asText = (value: unknown): string =>
    JSON.stringify(Array.isArray(value) ? value.map(String).toSorted() : value);
  return asText(one) === asText(other);
}

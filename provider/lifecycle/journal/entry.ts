import { z } from "zod";
import type { Candidate } from "../../define/resource";
import { processMark } from "./process-mark";

const values = z.record(z.string(), z.unknown());

export const entrySchema = z.object({
  /** Which resource of which program it is about: the URN, or what the dynamic classes know of it. */
  owner: z.string(),
  type: z.string(),
  baseUrl: z.string(),
  /** A hash of the credentials. */
  account: z.string(),
  /** `update` where the object was known before, and only its outputs are kept. */
  step: z.enum(["create", "update"]),
  process: processMark,
  /** When it began, by this machine's clock, in milliseconds since the epoch. */
  beganAtMs: z.number(),
  /** By the service's own clock: when it began, and when a write last left. Absent where the service does not tell the time. */
  serviceTime: z.object({ beganAtMs: z.number(), lastWriteMs: z.number() }).optional(),
  /** Objects that bore the declared identity before the create was sent: none of them is ours. */
  knownIds: z.array(z.string()),
  /** What identifies the object: names, and what cannot be changed in place. */
  sent: values,
  /** The parent within which the id is unique. */
  scope: z.string(),
  /** The object's id, once it is known. */
  id: z.string().optional(),
  /** Outputs that tell the object from another one of the same id, or that nobody could find out again. */
  outputs: values.optional(),
});

/** A create, or another write, whose outcome the engine has not shown to know. Holds names and ids, never secrets. */
export type Entry = z.infer<typeof entrySchema>;

/** Which resource of which program under which account an entry is of. */
export type Identity = Pick<Entry, "owner" | "type" | "baseUrl" | "account">;

export function isOf(entry: Entry, { owner, type, baseUrl, account }: Identity): boolean {
  return (
    entry.owner === owner && entry.type === type && entry.baseUrl === baseUrl && entry.account === account
  );
}

const HOUR_MS = 60 * 60_000;
/** How long a create without an answer can be told from what others make. */
const WITHOUT_ID_MS = 24 * HOUR_MS;
/** An id proves itself; but stacks are abandoned, and their entries must not stay for ever. */
const WITH_ID_MS = 90 * 24 * HOUR_MS;

export function hasExpired({ id, beganAtMs }: Entry, nowMs: number): boolean {
  return nowMs - beganAtMs > (id === undefined ? WITHOUT_ID_MS : WITH_ID_MS);
}

/** A request that has left is carried out within this time, or never. */
export const LANDS_WITHIN_MS = 60_000;
/** The service's clock is told to the second, and its parts do not agree to the second. */
const INACCURACY_MS = 5_000;

/** Whether the object was made while the create was under way, by the service's own time; undefined where that is not told. */
export function isMadeDuring(
  serviceTime: Entry["serviceTime"],
  { createdAt }: Candidate,
): boolean | undefined {
  const madeAtMs = createdAt === undefined ? Number.NaN : Date.parse(createdAt);
  if (serviceTime === undefined || Number.isNaN(madeAtMs)) return undefined;
  const { beganAtMs, lastWriteMs } = serviceTime;
  return madeAtMs >= beganAtMs - INACCURACY_MS && madeAtMs <= lastWriteMs + LANDS_WITHIN_MS + INACCURACY_MS;
}

/** Within a message: what to look for at the service. */
export function describeSent({ type, sent, id }: Pick<Entry, "type" | "sent" | "id">): string {
  const fields = Object.entries(sent).map(([name, value]) => `${name} ${inBrief(JSON.stringify(value))}`);
  return `${type}${id === undefined ? "" : ` ${id}`}${fields.length === 0 ? "" : ` (${fields.join(", ")})`}`;
}

/** Whole or not at all: of a secret that is cut, nothing recognises the rest. */
function inBrief(json: string): string {
  return json.length <= 80 ? json : `of ${json.length} characters`;
}

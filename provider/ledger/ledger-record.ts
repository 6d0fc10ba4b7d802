import { z } from "zod";
import type { ObjectCandidate } from "../define/resource";
import { processIdentity } from "../core/process-identity";

const values = z.record(z.string(), z.unknown());

const sentRequest = z.object({
  /** When it left, by the service's own clock, in milliseconds since the epoch; absent where the service gives no time. */
  sentAtMs: z.number().optional(),
  /** When the service itself answered it; absent while it has not, as after a gateway's answer in its place. */
  answeredAtMs: z.number().optional(),
});
export type SentRequest = z.infer<typeof sentRequest>;

export const ledgerRecord = z.object({
  /** Which resource of which program it is about: the URN, or what the dynamic classes know of it. */
  owner: z.string(),
  type: z.string(),
  baseUrl: z.string(),
  /** A hash of the credentials. */
  account: z.string(),
  /** `update`: the engine knows the object, and the record keeps outputs of it. */
  step: z.enum(["create", "update"]),
  process: processIdentity,
  /** When it began, by this machine's clock, in milliseconds since the epoch. */
  beganAtMs: z.number(),
  /** The create's requests in their order. Each is recorded before it leaves. */
  requests: z.array(sentRequest),
  /** Objects that had the declared identity before the first request: the create has made none of them. */
  knownIds: z.array(z.string()),
  /** What was sent, without secrets. */
  sent: values,
  /** Names of inputs that were sent too and hold a secret. */
  withheld: z.array(z.string()),
  /** The parent within which the id is unique. */
  scope: z.string(),
  /** The object's id, once it is known. */
  id: z.string().optional(),
  /** The service has answered with the id. Otherwise the id was known before anything was sent, and proves nothing. */
  isAnswered: z.boolean().optional(),
  /** Outputs that distinguish the object from another one of the same id, or that cannot be read again. */
  outputs: values.optional(),
});

/** A create or an update whose outcome the engine has not shown to know. It has names and ids, and no secrets. */
export type LedgerRecord = z.infer<typeof ledgerRecord>;

/** Which resource of which program under which account a record is of. */
export type ResourceIdentity = Pick<LedgerRecord, "owner" | "type" | "baseUrl" | "account">;

export function hasIdentity(
  record: LedgerRecord,
  { owner, type, baseUrl, account }: ResourceIdentity,
): boolean {
  return (
    record.owner === owner && record.type === type && record.baseUrl === baseUrl && record.account === account
  );
}

const HOUR_MS = 60 * 60_000;
/** For how long a create without an answer can be distinguished from what others create. */
const WITHOUT_ID_MS = 24 * HOUR_MS;
/** An id stays a proof. The record ends all the same, as a stack may be abandoned. */
const WITH_ID_MS = 90 * 24 * HOUR_MS;

export function hasExpired({ id, beganAtMs }: LedgerRecord, nowMs: number): boolean {
  return nowMs - beganAtMs > (id === undefined ? WITHOUT_ID_MS : WITH_ID_MS);
}

/** For how long a request without an answer may still be carried out. */
export const IN_FLIGHT_GRACE_MS = 60_000;
/** The service gives times to the second. */
const INACCURACY_MS = 1_000;

/**
 * Whether the object was created during one of the requests, by the service's own time; undefined where a time is missing. A
 * request without an answer counts for `openMs` milliseconds.
 */
export function isMadeDuring(
  requests: readonly SentRequest[],
  { createdAt }: Pick<ObjectCandidate, "createdAt">,
  openMs: number,
): boolean | undefined {
  const madeAtMs = createdAt === undefined ? Number.NaN : Date.parse(createdAt);
  const timed = requests.flatMap(({ sentAtMs, answeredAtMs }) =>
    sentAtMs === undefined ? [] : [{ sentAtMs, endedAtMs: answeredAtMs ?? sentAtMs + openMs }],
  );
  if (timed.length === 0 || Number.isNaN(madeAtMs)) return undefined;
  return timed.some(
    ({ sentAtMs, endedAtMs }) =>
      madeAtMs >= sentAtMs - INACCURACY_MS && madeAtMs <= endedAtMs + INACCURACY_MS,
  );
}

/** Within a message: what to look for on the service. */
export function describeSent({ type, sent, id }: Pick<LedgerRecord, "type" | "sent" | "id">): string {
  const fields = Object.entries(sent).map(([name, value]) => `${name} ${shortenJson(JSON.stringify(value))}`);
  return `${type}${id === undefined ? "" : ` ${id}`}${fields.length === 0 ? "" : ` (${fields.join(", ")})`}`;
}

/** A value is shown whole or not at all: the redaction does not recognise a part of a secret. */
function shortenJson(json: string): string {
  return json.length <= 80 ? json : `of ${json.length} characters`;
}

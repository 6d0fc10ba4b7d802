import { ApiError, isRefusal, TimeoutError } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import { mayPassWhileStarting } from "../../../waiting/project-state";
import { quoteServiceMessage } from "../../../client/errors/with-message";
import { poll } from "../../../waiting/poll";
import { writeOnce } from "../../../waiting/write-once";
import { problems } from "./problems";
import { forgetHostname, type HostnameRecord } from "./calls";

/** The DNS records are verified; the rest of the set-up is still under way (service, Custom hostname). */
const VERIFIED = 3;
/** What an activation needs. */
const READY = 4;
const ACTIVATED = 5;

type KnownStatus = Partial<Pick<HostnameRecord, "status">>;

/** How far a hostname is: the number that its status begins with; undefined where the answer does not tell it. */
function tellStage({ status }: KnownStatus): number | undefined {
  const digits = /^\d+/.exec(status ?? "")?.[0];
  return digits === undefined ? undefined : Number(digits);
}

function stageOf(record: KnownStatus): number {
  return tellStage(record) ?? 0;
}

/** Whether it is active; by what is `known` where the answer does not tell. */
export function isActivated(record: KnownStatus, known: KnownStatus = {}): boolean {
  return (tellStage(record) ?? stageOf(known)) >= ACTIVATED;
}

/** Whether the answer tells that it is not active. */
export function isShownInactive(record: KnownStatus): boolean {
  return (tellStage(record) ?? ACTIVATED) < ACTIVATED;
}

/** The record for the certificate was measured to show 2 to 24 s after the first answer, and for some names never (service, Custom hostname). */
const VALIDATION_RECORD_MS = 60_000;

/** Waits a while for the record that validates the certificate, unless the hostname needs none. */
export async function waitForValidationRecord(
  ctx: Context,
  ref: string,
  now: HostnameRecord,
): Promise<HostnameRecord> {
  if (needsNoRecord(now)) return now;
  const until = ctx.clock.now() + VALIDATION_RECORD_MS;
  let seen = now;
  let isFirst = true;
  return poll<HostnameRecord, HostnameRecord>(ctx, {
    what: "the DNS record that validates the certificate",
    firstDelayMs: 6_500,
    look: async () => {
      if (isFirst) isFirst = false;
      else seen = (await nudgeHostname(ctx, ref)) ?? (await ctx.api.getCustomHostname({ ref }));
      return seen;
    },
    mayPass: mayPassWhileStarting,
    judge: (record) =>
      needsNoRecord(record) || ctx.clock.now() >= until
        ? { kind: "done", value: record }
        : { kind: "waiting", reason: "the service does not show it yet" },
  });
}

function needsNoRecord(record: HostnameRecord): boolean {
  return stageOf(record) >= VERIFIED || validationRecordsOf(record).length > 0;
}

/** The records that validate the certificate; empty texts are none (service, Custom hostname). */
export function validationRecordsOf({ data }: HostnameRecord): { txtName?: string; txtValue: string }[] {
  return (data?.result?.ssl?.validation_records ?? []).flatMap(({ txt_name: name, txt_value: value }) =>
    value == null || value === ""
      ? []
      : [{ txtValue: value, ...(name == null || name === "" ? {} : { txtName: name }) }],
  );
}

/** The longest that the service was measured to take from the DNS records to a verified hostname (service, Custom hostname). */
const RECHECK_MS = 200_000;

/**
 * Waits until a hostname can be activated. While its DNS records are not verified, or its certificate was refused, each look is
 * preceded by a nudge to look at them, of which ten a minute are allowed. A refusal that was there before may be of DNS records
 * which the user has corrected since: it ends the wait only if the service still shows it after it had the time to look again.
 */
export async function waitUntilReady(
  ctx: Context,
  ref: string,
  now: HostnameRecord,
): Promise<HostnameRecord> {
  if (stageOf(now) >= READY) return now;
  let seen = now;
  let refusal = "";
  let isOfBefore = findCertificateRefusal(now) !== undefined;
  const until = ctx.clock.now() + RECHECK_MS;
  return poll<HostnameRecord, HostnameRecord>(ctx, {
    what: "the DNS records and the origin of the custom hostname",
    firstDelayMs: 12_500,
    longestDelayMs: 60_000,
    look: async () => {
      const needsNudge = stageOf(seen) < VERIFIED || findCertificateRefusal(seen) !== undefined;
      refusal = needsNudge ? (await reverifyHostname(ctx, ref)).refusal : "";
      seen = await ctx.api.getCustomHostname({ ref });
      return seen;
    },
    mayPass: mayPassWhileStarting,
    absent: explainCertificateRefusal,
    judge(record) {
      if (stageOf(record) >= READY) return { kind: "done", value: record };
      const error = explainCertificateRefusal(record);
      isOfBefore &&= error !== undefined;
      const mayPass = isOfBefore && ctx.clock.now() < until;
      if (error !== undefined && !mayPass) return { kind: "failed", error };
      const reason = `${record.status ?? "no status"}${formatErrors(record)}${refusal}; ${describeMissing(record)}`;
      return { kind: "waiting", reason };
    },
  });
}

/** The hostname's own DNS lets no authority that the service has issue a certificate for it. */
const CERTIFICATE_REFUSED = /caa_error/i;

function findCertificateRefusal(record: HostnameRecord): string | undefined {
  return errorsOf(record).find((error) => CERTIFICATE_REFUSED.test(error));
}

function explainCertificateRefusal(record: HostnameRecord): Error | undefined {
  const answer = findCertificateRefusal(record);
  if (answer === undefined) return undefined;
  const name = record.custom_hostname ?? "the hostname";
  return new Error(problems.certificateRefused.message({ name, answer }));
}

/** What the set-up waits for, and who has to do it. */
function describeMissing(record: HostnameRecord): string {
  if (stageOf(record) >= VERIFIED) return "the service is setting up the origin";
  const ownership = record.data?.result?.ownership_verification;
  const names = [
    ...(ownership?.value == null || ownership.value === "" ? [] : [ownership.name]),
    ...validationRecordsOf(record).map(({ txtName }) => txtName),
  ].filter((name) => name != null && name !== "");
  return names.length === 0
    ? "the service shows no DNS record to create"
    : `the service has to find the TXT ${names.length === 1 ? "record" : "records"} ${names.join(" and ")}, which you create at the DNS provider of the hostname`;
}

/** Has the service look at the DNS records. It refuses with 400 where it has verified them: a read shows it (service, Custom hostname). */
async function reverifyHostname(
  ctx: Context,
  ref: string,
): Promise<{ readonly record?: HostnameRecord; readonly refusal: string }> {
  try {
    return { record: await ctx.api.reverifyCustomHostname({ ref }), refusal: "" };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { refusal: `; the service rejected the verification${quoteServiceMessage(error)}` };
  } finally {
    forgetHostname(ctx, ref);
  }
}

/** The same where a read shows as much: what refuses it does not fail a hostname that is made. */
async function nudgeHostname(ctx: Context, ref: string): Promise<HostnameRecord | undefined> {
  try {
    return (await reverifyHostname(ctx.within({ ...ctx, isTriedOnce: true }), ref)).record;
  } catch (error) {
    if (error instanceof ApiError || error instanceof TimeoutError) return undefined;
    throw error;
  }
}

function errorsOf({ data }: HostnameRecord): string[] {
  const result = data?.result;
  return [
    ...(result?.verification_errors ?? []),
    ...(result?.ssl?.validation_errors ?? []).flatMap(({ message }) => message ?? []),
  ];
}

function formatErrors(record: HostnameRecord): string {
  const errors = errorsOf(record);
  return errors.length === 0 ? "" : ` (${errors.join("; ")})`;
}

/** Activates a hostname that is ready. Too early and twice are both refused with 400: the status shows which it was. */
export async function activateUntilServed(ctx: Context, ref: string): Promise<HostnameRecord> {
  let isAccepted = false;
  let refusal = "";
  const look = (): Promise<HostnameRecord> => ctx.api.getCustomHostname({ ref });
  const activate = async (): Promise<HostnameRecord> => {
    try {
      const answer = await writeOnce(ctx, {
        send: () => ctx.api.activateCustomHostname({ ref }),
        findResult: async () => [await look()].find((record) => isActivated(record)),
      });
      isAccepted = true;
      return answer;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error;
      refusal = `; the service rejected the activation${quoteServiceMessage(error)}`;
      return await look();
    } finally {
      forgetHostname(ctx, ref);
    }
  };
  return poll<HostnameRecord, HostnameRecord>(ctx, {
    what: "the custom hostname to become active",
    look: () => (isAccepted ? look() : activate()),
    judge: (record) =>
      isActivated(record)
        ? { kind: "done", value: record }
        : { kind: "waiting", reason: `${record.status ?? "no status"}${isAccepted ? "" : refusal}` },
  });
}

import { ApiError } from "../../../client/errors/errors";
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

/** How far a hostname is: the number that its status begins with; 0 for a status of another form. */
function stageOf({ status }: HostnameRecord): number {
  return Number(/^\d+/.exec(status ?? "")?.[0] ?? 0);
}

export function isActivated(record: HostnameRecord): boolean {
  return stageOf(record) >= ACTIVATED;
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
      else seen = (await reverifyHostname(ctx, ref)).record ?? (await ctx.api.getCustomHostname({ ref }));
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

/**
 * Waits until a hostname can be activated. While its DNS records are not verified, each look is preceded by a nudge to
 * look at them, of which ten a minute are allowed.
 */
export async function waitUntilReady(
  ctx: Context,
  ref: string,
  now: HostnameRecord,
): Promise<HostnameRecord> {
  if (stageOf(now) >= READY) return now;
  let seen = now;
  let refusal = "";
  return poll<HostnameRecord, HostnameRecord>(ctx, {
    what: "the DNS records and the origin of the custom hostname",
    firstDelayMs: 12_500,
    longestDelayMs: 60_000,
    look: async () => {
      refusal = stageOf(seen) < VERIFIED ? (await reverifyHostname(ctx, ref)).refusal : "";
      seen = await ctx.api.getCustomHostname({ ref });
      return seen;
    },
    mayPass: mayPassWhileStarting,
    judge(record) {
      if (stageOf(record) >= READY) return { kind: "done", value: record };
      const refused = errorsOf(record).find((error) => CERTIFICATE_REFUSED.test(error));
      if (refused !== undefined) {
        const name = record.custom_hostname ?? "the hostname";
        const message = problems.certificateRefused.message({ name, answer: refused });
        return { kind: "failed", error: new Error(message) };
      }
      const reason = `${record.status ?? "no status"}${formatErrors(record)}${refusal}; ${describeMissing(record)}`;
      return { kind: "waiting", reason };
    },
  });
}

/** The hostname's own DNS lets no authority that the service has issue a certificate for it. */
const CERTIFICATE_REFUSED = /caa_error/i;

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
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    return { refusal: `; the service rejected the verification${quoteServiceMessage(error)}` };
  } finally {
    forgetHostname(ctx, ref);
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
        findResult: async () => [await look()].find(isActivated),
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

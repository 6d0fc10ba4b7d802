import { ApiError } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import { mayPassWhileStarting } from "../../../waiting/project-state";
import { quoteServiceMessage } from "../../../client/errors/with-message";
import { poll } from "../../../waiting/poll";
import { writeOnce } from "../../../waiting/write-once";
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
      refusal = stageOf(seen) < VERIFIED ? await nudge(ctx, ref) : "";
      seen = await ctx.api.getCustomHostname({ ref });
      return seen;
    },
    mayPass: mayPassWhileStarting,
    judge: (record) =>
      stageOf(record) >= READY
        ? { kind: "done", value: record }
        : { kind: "waiting", reason: `${record.status ?? "no status"}${formatErrors(record)}${refusal}` },
  });
}

/** Has the service look at the DNS records. It refuses with 400 where it has verified them: a read tells (service, Custom hostname). */
async function nudge(ctx: Context, ref: string): Promise<string> {
  try {
    await ctx.api.reverifyCustomHostname({ ref });
    return "";
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    return `; the service rejected the verification${quoteServiceMessage(error)}`;
  } finally {
    forgetHostname(ctx, ref);
  }
}

function formatErrors({ data }: HostnameRecord): string {
  const result = data?.result;
  const errors = [
    ...(result?.verification_errors ?? []),
    ...(result?.ssl?.validation_errors ?? []).flatMap(({ message }) => message ?? []),
  ];
  return errors.length === 0 ? "" : ` (${errors.join("; ")})`;
}

/** Activates a hostname that is ready. Too early and twice are both refused with 400: the status tells which it was. */
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

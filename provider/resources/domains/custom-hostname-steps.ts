import { ApiError } from "../../client/errors";
import type { Context } from "../../define/context";
import { mayPassWhileStarting } from "../../lifecycle/project-state";
import { settle } from "../../lifecycle/settle";
import { writeOnce } from "../../lifecycle/write-once";
import { said, type HostnameRecord } from "./custom-hostname-calls";

const VERIFIED = 3;
const ACTIVATED = 5;

/** How far a hostname is: the number that its status begins with; 0 for a status of another form. */
function stageOf({ status }: HostnameRecord): number {
  return Number(/^\d+/.exec(status ?? "")?.[0] ?? 0);
}

export function isActivated(record: HostnameRecord): boolean {
  return stageOf(record) >= ACTIVATED;
}

/** Has the service look at the DNS records until it has verified them; ten attempts a minute are allowed. */
export async function reverifyUntilVerified(
  ctx: Context,
  ref: string,
  now: HostnameRecord,
): Promise<HostnameRecord> {
  if (stageOf(now) >= VERIFIED) return now;
  return settle<HostnameRecord, HostnameRecord>(ctx, {
    what: "the DNS records of the custom hostname to be verified",
    firstDelayMs: 12_500,
    longestDelayMs: 60_000,
    look: () => ctx.api.reverifyCustomHostname({ ref }),
    mayPass: mayPassWhileStarting,
    judge: (record) =>
      stageOf(record) >= VERIFIED
        ? { kind: "done", value: record }
        : { kind: "waiting", reason: `${record.status ?? "no status"}${problemsOf(record)}` },
  });
}

function problemsOf({ data }: HostnameRecord): string {
  const result = data?.result;
  const errors = [
    ...(result?.verification_errors ?? []),
    ...(result?.ssl?.validation_errors ?? []).flatMap(({ message }) => message ?? []),
  ];
  return errors.length === 0 ? "" : ` (${errors.join("; ")})`;
}

/** Activates a verified hostname. Too early and twice are both refused with 400: the status tells which it was. */
export async function activateUntilServed(ctx: Context, ref: string): Promise<HostnameRecord> {
  let isAccepted = false;
  let refusal = "";
  const look = (): Promise<HostnameRecord> => ctx.api.getCustomHostname({ ref });
  const activate = async (): Promise<HostnameRecord> => {
    try {
      const answer = await writeOnce(ctx, {
        send: () => ctx.api.activateCustomHostname({ ref }),
        landed: async () => [await look()].find(isActivated),
      });
      isAccepted = true;
      return answer;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error;
      refusal = `; activation was refused${said(error)}`;
      return look();
    }
  };
  return settle<HostnameRecord, HostnameRecord>(ctx, {
    what: "the custom hostname to be served",
    look: () => (isAccepted ? look() : activate()),
    judge: (record) =>
      isActivated(record)
        ? { kind: "done", value: record }
        : { kind: "waiting", reason: `${record.status ?? "no status"}${isAccepted ? "" : refusal}` },
  });
}

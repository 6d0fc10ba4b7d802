import { ApiError, isNotFound } from "../../client/errors";
import type { Api, Context } from "../../define/context";
import { settle } from "../../lifecycle/settle";
import { writeOnce } from "../../lifecycle/write-once";

/** A project's custom hostname as the service shows it. */
export type HostnameRecord = Awaited<ReturnType<Api["getCustomHostname"]>>;

const VERIFIED = 3;
const ACTIVATED = 5;

/** How far a hostname is: the number that its status begins with; 0 for a status of another form. */
function stageOf({ status }: HostnameRecord): number {
  return Number(/^\d+/.exec(status ?? "")?.[0] ?? 0);
}

export function isActivated(record: HostnameRecord): boolean {
  return stageOf(record) >= ACTIVATED;
}

/** The hostname as it is; undefined when the service says that none is configured. */
export async function lookUpHostname(ctx: Context, ref: string): Promise<HostnameRecord | undefined> {
  try {
    const record = await ctx.api.getCustomHostname({ ref });
    return record.status === "1_not_started" ? undefined : record;
  } catch (error) {
    if (isNotFound(error) || saysNothingConfigured(error)) return undefined;
    throw explained(error);
  }
}

const ADD_ON = /add-?_?\s?on|entitle|not enabled/i;
const NOTHING =
  /\b(?:no|not|nothing|never|without)\b.*(?:host\s?name|domain|configur|initiali[sz]|found)|not[ _]started/i;

/** Without a hostname the read answers 400 (behaviour, Custom hostname); any other 400 says nothing about it. */
function saysNothingConfigured(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status !== 400) return false;
  return NOTHING.test(error.serviceMessage) && !ADD_ON.test(error.serviceMessage);
}

function explained(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 400 || !ADD_ON.test(error.serviceMessage))
    return error;
  const message =
    `The project has no custom hostname because it lacks the add-on for it (400${said(error)}): ` +
    "select `custom_domain` in the project's billing add-ons, and run again.";
  return new ApiError({ ...error, message });
}

/** Starts the set-up. A second start answers 544: what is there then decides whether it is ours. */
export async function initialize(ctx: Context, ref: string, hostname: string): Promise<HostnameRecord> {
  try {
    return await ctx.api.initializeCustomHostname({ ref, body: { custom_hostname: hostname } });
  } catch (error) {
    if (error instanceof ApiError && error.status === 544) return takeExisting(ctx, ref, hostname, error);
    throw explained(error);
  }
}

async function takeExisting(
  ctx: Context,
  ref: string,
  hostname: string,
  refusal: ApiError,
): Promise<HostnameRecord> {
  const present = await lookUpHostname(ctx, ref);
  if (present === undefined) throw refusal;
  if (present.custom_hostname === hostname) return present;
  throw new ApiError({
    ...refusal,
    status: 409,
    message: `The project ${ref} has the custom hostname ${present.custom_hostname ?? "of another name"} already: remove it first, or declare it with \`adopt: true\`.`,
  });
}

/** Has the service look at the DNS records until it has verified them; ten attempts a minute are allowed. */
export async function reverifyUntilVerified(ctx: Context, ref: string): Promise<HostnameRecord> {
  return settle<HostnameRecord, HostnameRecord>(ctx, {
    what: "the DNS records of the custom hostname to be verified",
    firstDelayMs: 12_500,
    longestDelayMs: 60_000,
    look: () => ctx.api.reverifyCustomHostname({ ref }),
    judge: (record) =>
      stageOf(record) >= VERIFIED
        ? { kind: "done", value: record }
        : { kind: "waiting", reason: `${record.status ?? "no status"}${problemsOf(record)}` },
  });
}

export function isVerified(record: HostnameRecord): boolean {
  return stageOf(record) >= VERIFIED;
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

/** Removes the hostname where the service can; tells when it stays. */
export async function remove(ctx: Context, ref: string): Promise<void> {
  try {
    await ctx.api.removeCustomHostname({ ref });
  } catch (error) {
    if (!(error instanceof ApiError) || ![404, 405].includes(error.status)) throw error;
    const present = await lookUpHostname(ctx, ref);
    if (present !== undefined) {
      ctx.warn(
        `the service cannot remove a custom hostname (${error.status}): ${present.custom_hostname ?? "it"} stays on the project ${ref} ` +
          "until it is removed by hand or the project is deleted.",
      );
    }
    return;
  }
  await settle<HostnameRecord | undefined, undefined>(ctx, {
    what: "the custom hostname to be removed",
    look: () => lookUpHostname(ctx, ref),
    judge: (record) =>
      record === undefined
        ? { kind: "done", value: undefined }
        : { kind: "waiting", reason: record.status ?? "it is still there" },
  });
}

function said({ serviceMessage }: ApiError): string {
  return serviceMessage === "" ? "" : `: ${serviceMessage}`;
}

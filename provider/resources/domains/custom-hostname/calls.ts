import { ApiError, isNotFound } from "../../../client/errors/errors";
import { replaceMessage, quoteServiceMessage } from "../../../client/errors/with-message";
import type { Api, Context } from "../../../define/context";
import { callWhenReady } from "../../../waiting/project-health";
import { poll } from "../../../waiting/poll";
import { problems } from "./problems";

/** A project's custom hostname as the service shows it. */
export type HostnameRecord = Awaited<ReturnType<Api["getCustomHostname"]>>;

/** The hostname as it is; undefined when the service says that none is configured, or that the add-on is gone with it. */
export async function lookUpHostname(
  ctx: Context,
  ref: string,
  withoutAddon = false,
): Promise<HostnameRecord | undefined> {
  try {
    const record = await ctx.api.getCustomHostname({ ref });
    return record.status === "1_not_started" ? undefined : record;
  } catch (error) {
    if (isNotFound(error) || saysNothingConfigured(error)) return undefined;
    if (withoutAddon && lacksAddOn(error)) return undefined;
    throw lacksAddOn(error) ? addAddOnAdvice(error) : error;
  }
}

const listKey = (ref: string, withoutAddon: boolean): string =>
  `custom-hostname:${ref}${withoutAddon ? " without its add-on" : ""}`;

/** The same as a refresh reads it: one call for the hostname and its activation. */
export function lookUpHostnameOnce(
  ctx: Context,
  ref: string,
  withoutAddon = false,
): Promise<HostnameRecord | undefined> {
  return ctx.shared.list(listKey(ref, withoutAddon), () => lookUpHostname(ctx, ref, withoutAddon));
}

/** To be called after every write. */
export function forgetHostname(ctx: Context, ref: string): void {
  for (const withoutAddon of [false, true]) ctx.shared.forget(listKey(ref, withoutAddon));
}

const ADD_ON = /add[-_ ]?on|entitle|not enabled/i;
const NOTHING =
  /\b(?:no|not|nothing|never|without)\b.*(?:host\s?name|domain|configur|initiali[sz]|found)|not[ _]started/i;

/** Without a hostname the read answers 400 (service, Custom hostname); any other 400 says nothing about it. */
function saysNothingConfigured(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status !== 400) return false;
  return NOTHING.test(error.serviceMessage) && !ADD_ON.test(error.serviceMessage);
}

function lacksAddOn(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 400 && ADD_ON.test(error.serviceMessage);
}

function addAddOnAdvice(error: ApiError): ApiError {
  return replaceMessage(error, problems.needsAddOn.message({ answer: quoteServiceMessage(error) }));
}

/** Starts the set-up. A second start answers 544, which says nothing of who made the first. */
export async function initializeHostname(
  ctx: Context,
  ref: string,
  hostname: string,
): Promise<HostnameRecord> {
  try {
    const body = { custom_hostname: hostname };
    return await callWhenReady(ctx, ref, ["db"], () => ctx.api.initializeCustomHostname({ ref, body }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 544) await refuseAnother(ctx, ref, hostname, error);
    throw error instanceof ApiError && error.status === 400 ? addAddOnAdvice(error) : error;
  } finally {
    forgetHostname(ctx, ref);
  }
}

/** The service's refusal would not name what is there. */
async function refuseAnother(ctx: Context, ref: string, hostname: string, refusal: ApiError): Promise<void> {
  const present = await lookUpHostname(ctx, ref);
  if (present === undefined || present.custom_hostname === hostname) return;
  const name = present.custom_hostname ?? "with another name";
  throw replaceMessage(refusal, problems.hasAnother.message({ ref, present: name }), 409);
}

/** Removes the hostname where the service can; tells when it stays. */
export async function removeHostname(ctx: Context, ref: string, withAddon: boolean): Promise<void> {
  try {
    const parameters = { ref, ...(withAddon && { remove_addon: true }) };
    await callWhenReady(ctx, ref, ["db"], () => ctx.api.removeCustomHostname(parameters));
  } catch (error) {
    // Without the add-on there is no hostname.
    if (saysNothingConfigured(error) || (withAddon && lacksAddOn(error))) return;
    if (!isRemovalRefused(error)) throw error;
    const present = await lookUpHostname(ctx, ref);
    if (present !== undefined) {
      const name = present.custom_hostname ?? "it";
      ctx.warn(problems.cannotBeRemoved.message({ status: error.status, present: name, ref }));
    }
    return;
  } finally {
    forgetHostname(ctx, ref);
  }
  await poll<HostnameRecord | undefined, undefined>(ctx, {
    what: "the removal of the custom hostname",
    look: () => lookUpHostname(ctx, ref, withAddon),
    judge: (record) =>
      record === undefined
        ? { kind: "done", value: undefined }
        : { kind: "waiting", reason: record.status ?? "it still exists" },
  });
}

/** Only the table of limits names the call (service, Custom hostname), so a service may not have it. */
function isRemovalRefused(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 404 || error.status === 405);
}

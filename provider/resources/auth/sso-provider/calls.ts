import { isNotFound, type ApiError } from "../../../client/errors/errors";
import { replaceMessage, quoteServiceMessage } from "../../../client/errors/with-message";
import type { Api, Context } from "../../../define/context";
import { OwnerExistsError } from "../../../lookup/owner";
import { callWhenReady } from "../../../waiting/project-health";
import { problems } from "./problems";

/** An SSO provider as the service shows it. */
export type SsoProviderRecord = Awaited<ReturnType<Api["getSsoProvider"]>>;
/** The same as the answer to a change has it, which may leave out anything. */
export type SsoProviderAnswer = Omit<SsoProviderRecord, "id">;
export type SsoProviderCreateBody = Parameters<Api["createSsoProvider"]>[0]["body"];
export type SsoProviderUpdateBody = Parameters<Api["updateSsoProvider"]>[0]["body"];

const listKey = (ref: string): string => `sso-providers:${ref}`;

/** A project's SSO providers: one listing for all resources of a run, until one of them is changed. */
export async function listSsoProvidersOnce(ctx: Context, ref: string): Promise<SsoProviderRecord[]> {
  try {
    return await ctx.shared.list(listKey(ref), () => ctx.api.listSsoProviders({ ref }));
  } catch (error) {
    throw error instanceof OwnerExistsError ? explainNotListed(ctx, error) : error;
  }
}

/** The provider with its metadata document, which listings may leave out for its length. */
export async function addMetadataXml(
  ctx: Context,
  ref: string,
  listed: SsoProviderRecord,
): Promise<SsoProviderRecord> {
  if (listed.saml?.metadata_xml !== undefined) return listed;
  return failIfListed(ctx, ref, listed.id, () => ctx.api.getSsoProvider({ ref, provider_id: listed.id }));
}

/** A 404 of one provider says that it is gone or that SAML is off (service, SSO providers): the listing decides. */
async function failIfListed<T>(ctx: Context, ref: string, id: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    ctx.shared.forget(listKey(ref));
    const isThere = (await listSsoProvidersOnce(ctx, ref)).some((each) => each.id === id);
    throw isThere ? replaceMessage(error, `${error.message} The listing still has it. Run again.`) : error;
  }
}

export async function createProvider(
  ctx: Context,
  ref: string,
  body: SsoProviderCreateBody,
): Promise<SsoProviderRecord> {
  try {
    return await callWhenReady(ctx, ref, ["auth"], () => ctx.api.createSsoProvider({ ref, body }));
  } catch (error) {
    throw isNotFound(error) ? createNotEnabledError(error) : error;
  } finally {
    ctx.shared.forget(listKey(ref));
  }
}

export async function updateProvider(
  ctx: Context,
  ref: string,
  id: string,
  body: SsoProviderUpdateBody,
): Promise<SsoProviderAnswer> {
  const send = (): Promise<SsoProviderAnswer> => ctx.api.updateSsoProvider({ ref, provider_id: id, body });
  const updating = failIfListed(ctx, ref, id, () => callWhenReady(ctx, ref, ["auth"], send));
  return updating.finally(() => ctx.shared.forget(listKey(ref)));
}

export async function deleteProvider(ctx: Context, ref: string, id: string): Promise<void> {
  const send = (): Promise<unknown> => ctx.api.deleteSsoProvider({ ref, provider_id: id });
  const removing = failIfListed(ctx, ref, id, () => callWhenReady(ctx, ref, ["auth"], send));
  await removing.finally(() => ctx.shared.forget(listKey(ref)));
}

/** 404 on SSO endpoints (service, SSO providers). */
function createNotEnabledError(error: ApiError): ApiError {
  return replaceMessage(error, problems.notEnabled.message({ answer: quoteServiceMessage(error) }));
}

/** Neither that there are none nor that one is gone (service, SSO providers). */
function explainNotListed({ urn }: Context, error: ApiError): ApiError {
  return replaceMessage(error, problems.notListed.message({ answer: quoteServiceMessage(error), urn }));
}

import { ApiError, isNotFound, ResponseSchemaError } from "../../client/errors";
import type { Api, Context } from "../../define/context";
import { whenReady } from "../../lifecycle/project-health";

/** An SSO provider as the service shows it. */
export type SsoProviderRecord = Awaited<ReturnType<Api["getSsoProvider"]>>;
export type CreateBody = Parameters<Api["createSsoProvider"]>[0]["body"];
export type UpdateBody = Parameters<Api["updateSsoProvider"]>[0]["body"];

const listKey = (ref: string): string => `sso-providers:${ref}`;

/** A project's SSO providers: one listing for all resources of a run, until one of them is changed. */
export async function ssoProvidersOf(ctx: Context, ref: string): Promise<SsoProviderRecord[]> {
  return ctx.shared.list(listKey(ref), async () => {
    const { items } = await ctx.api.listSsoProviders({ ref });
    // Without the list nothing says that a provider is gone.
    if (items == null) throw new ResponseSchemaError(WITHOUT_ITEMS, "listSsoProviders", "items");
    return items;
  });
}

const WITHOUT_ITEMS = "listSsoProviders: the service answered without `items`; run again.";

/** None where SAML is not enabled: the create then says so. */
export async function ssoProvidersIfEnabled(ctx: Context, ref: string): Promise<SsoProviderRecord[]> {
  return ssoProvidersOf(ctx, ref).catch((error: unknown) => {
    if (isNotFound(error)) return [];
    throw error;
  });
}

/** The provider with its metadata document, which listings may leave out for its length. */
export async function withMetadataXml(
  ctx: Context,
  ref: string,
  listed: SsoProviderRecord,
): Promise<SsoProviderRecord> {
  if (listed.saml?.metadata_xml !== undefined) return listed;
  return ctx.api.getSsoProvider({ ref, provider_id: listed.id });
}

export async function createProvider(
  ctx: Context,
  ref: string,
  body: CreateBody,
): Promise<SsoProviderRecord> {
  try {
    return await whenReady(ctx, ref, ["auth"], () => ctx.api.createSsoProvider({ ref, body }));
  } catch (error) {
    throw isNotFound(error) ? notEnabled(error) : error;
  } finally {
    ctx.shared.forget(listKey(ref));
  }
}

export async function updateProvider(
  ctx: Context,
  ref: string,
  id: string,
  body: UpdateBody,
): Promise<SsoProviderRecord> {
  return whenReady(ctx, ref, ["auth"], () =>
    ctx.api.updateSsoProvider({ ref, provider_id: id, body }),
  ).finally(() => ctx.shared.forget(listKey(ref)));
}

export async function deleteProvider(ctx: Context, ref: string, id: string): Promise<void> {
  await whenReady(ctx, ref, ["auth"], () => ctx.api.deleteSsoProvider({ ref, provider_id: id })).finally(() =>
    ctx.shared.forget(listKey(ref)),
  );
}

/** 404 on SSO endpoints (behaviour, Errors); a plain error, as the project itself is not what is missing. */
function notEnabled({ status, operation, serviceMessage, requestId }: ApiError): ApiError {
  const said = serviceMessage === "" ? "" : ` (the service says: ${serviceMessage})`;
  return new ApiError({
    status,
    operation,
    serviceMessage,
    requestId,
    message: `SAML is not enabled for the project, so no SSO provider was created${said}. Enable SAML 2.0 in the project's authentication settings, on a plan that has it, and run again; a wrong \`projectRef\` is answered in the same way.`,
  });
}

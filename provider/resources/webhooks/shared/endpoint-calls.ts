import {
  ApiError,
  ForbiddenError,
  isNotFound,
  NotFoundError,
  ResponseSchemaError,
} from "../../../client/errors/errors";
import { quoteServiceMessage, replaceMessage } from "../../../client/errors/with-message";
import type { Api, Context } from "../../../define/context";
import { UUID } from "../../../define/list";
import { OwnerExistsError } from "../../../lookup/owner";
import { organizationProblems, problems } from "./endpoint-problems";

/** Whose webhooks they are. The API has the same operations for both. */
export type WebhookOwner = { readonly ref: string } | { readonly slug: string };

/** A webhook endpoint as the service shows it. */
export type EndpointRecord = Awaited<ReturnType<Api["listProjectWebhookEndpoints"]>>[number];
/** The same as the answer to a change has it, which may leave out anything. */
export type EndpointAnswer = Pick<EndpointRecord, "attributes">;
export type EndpointUpdateBody = Parameters<Api["updateProjectWebhookEndpoint"]>[0]["body"];
type EndpointCreateBody = Parameters<Api["createProjectWebhookEndpoint"]>[0]["body"];
export type EndpointCreateAttributes = EndpointCreateBody["data"]["attributes"];

export function describeOwner(owner: WebhookOwner): string {
  return "ref" in owner ? `the project ${owner.ref}` : `the organization ${owner.slug}`;
}

const listKey = (owner: WebhookOwner): string => `webhook-endpoints:${describeOwner(owner)}`;

/** The endpoints of an owner by id: one listing for all resources of a run, until one of them is changed. */
export async function listEndpointsOnce(
  ctx: Context,
  owner: WebhookOwner,
): Promise<ReadonlyMap<string, EndpointRecord>> {
  const list = (): Promise<EndpointRecord[]> =>
    "ref" in owner
      ? ctx.api.listProjectWebhookEndpoints({ ref: owner.ref })
      : ctx.api.listOrganizationWebhookEndpoints({ slug: owner.slug });
  const endpoints = ctx.shared.list(listKey(owner), async () => {
    const listed = await explainRefusal(owner, list());
    return new Map(listed.map((each) => [each.id, each]));
  });
  // Each resource of the run names itself.
  return "ref" in owner ? endpoints : explainMissing(ctx, owner.slug, endpoints);
}

/** One endpoint; undefined where there is none. Others may have moved from page to page, so what the listing lacks is asked for. */
export async function readEndpoint(
  ctx: Context,
  owner: WebhookOwner,
  id: string,
): Promise<EndpointRecord | undefined> {
  const listed = (await listEndpointsOnce(ctx, owner)).get(id);
  if (listed !== undefined || !UUID.test(id)) return listed;
  const get = (): ReturnType<Api["getProjectWebhookEndpoint"]> =>
    "ref" in owner
      ? ctx.api.getProjectWebhookEndpoint({ ref: owner.ref, id })
      : ctx.api.getOrganizationWebhookEndpoint({ slug: owner.slug, id });
  return requireData(
    await get(),
    "ref" in owner ? "getProjectWebhookEndpoint" : "getOrganizationWebhookEndpoint",
  );
}

export async function createEndpoint(
  ctx: Context,
  owner: WebhookOwner,
  attributes: EndpointCreateAttributes,
): Promise<EndpointRecord> {
  const body: EndpointCreateBody = { data: { type: "endpoint", attributes } };
  const send = async (): Promise<EndpointRecord> =>
    "ref" in owner
      ? requireData(
          await ctx.api.createProjectWebhookEndpoint({ ref: owner.ref, body }),
          "createProjectWebhookEndpoint",
        )
      : requireData(
          await ctx.api.createOrganizationWebhookEndpoint({ slug: owner.slug, body }),
          "createOrganizationWebhookEndpoint",
        );
  return change(ctx, owner, send);
}

export async function updateEndpoint(
  ctx: Context,
  owner: WebhookOwner,
  id: string,
  attributes: EndpointUpdateBody["data"]["attributes"],
): Promise<EndpointAnswer> {
  const body: EndpointUpdateBody = { data: { type: "endpoint", attributes } };
  const send = async (): Promise<EndpointAnswer> => {
    const { data } = await ("ref" in owner
      ? ctx.api.updateProjectWebhookEndpoint({ ref: owner.ref, id, body })
      : ctx.api.updateOrganizationWebhookEndpoint({ slug: owner.slug, id, body }));
    return data ?? {};
  };
  return change(ctx, owner, send);
}

/** Throws a 404 of the endpoint only where a listing is without it too: of an owner that the token does not see it says nothing. */
export async function deleteEndpoint(ctx: Context, owner: WebhookOwner, id: string): Promise<void> {
  const send = (): Promise<unknown> =>
    "ref" in owner
      ? ctx.api.deleteProjectWebhookEndpoint({ ref: owner.ref, id })
      : ctx.api.deleteOrganizationWebhookEndpoint({ slug: owner.slug, id });
  try {
    await change(ctx, owner, send);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const isThere = (await listEndpointsOnce(ctx, owner)).has(id);
    throw isThere ? replaceMessage(error, problems.stillListed.message({ error: error.message })) : error;
  }
}

/** What was listed before a change is the past, whatever became of the change. */
async function change<T>(ctx: Context, owner: WebhookOwner, send: () => Promise<T>): Promise<T> {
  return explainRefusal(owner, send()).finally(() => ctx.shared.forget(listKey(owner)));
}

function requireData<T>({ data }: { readonly data?: T | null | undefined }, operation: string): T {
  if (data != null) return data;
  throw new ResponseSchemaError(
    `${operation} failed: the answer has no \`data\`. Run again.`,
    operation,
    "data",
  );
}

/** Refusals that concern all webhooks of an owner. */
export async function explainRefusal<T>(owner: WebhookOwner, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const values = { owner: describeOwner(owner), answer: quoteServiceMessage(error) };
    if (error instanceof ForbiddenError && isSwitchedOff(error))
      throw replaceMessage(error, problems.accessDisabled.message(values));
    if (error instanceof OwnerExistsError) throw replaceMessage(error, problems.notServed.message(values));
    throw error;
  }
}

/** Whichever of its spellings the service has (service, Webhooks). */
function isSwitchedOff({ serviceCode = "", serviceMessage }: ApiError): boolean {
  return /access_disabled$/.test(serviceCode) || /\baccess disabled\b/i.test(serviceMessage);
}

/** A 404 of an organization proves nothing: a token of another account gets it too. */
async function explainMissing<T>({ urn }: Context, slug: string, answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    throw replaceMessage(error, organizationProblems.organizationNotFound.message({ slug, urn }));
  });
}

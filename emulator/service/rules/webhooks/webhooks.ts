import { isIP } from "node:net";
import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import { actingUser, type CallSource, userIdOf } from "../../access/caller";
import { Refusal, requireFound } from "../../answers/refusal";
import type {
  WebhookDeliveryRecord,
  WebhookEndpointRecord,
  WebhooksRecord,
} from "../../world/records/webhooks";
import type { World } from "../../world/world";
import type { Exchange, Handler } from "../shared/handler";
import { projectAt } from "../shared/project-at";

type EndpointView = OperationAnswer<Operations["getProjectWebhookEndpoint"]>["data"];
type DeliveryView = OperationAnswer<Operations["listProjectWebhookDeliveries"]>["data"][number];
type EndpointsAnswer = OperationAnswer<Operations["listProjectWebhookEndpoints"]>;
type DeliveriesAnswer = OperationAnswer<Operations["listProjectWebhookDeliveries"]>;
type CreateBody = Exchange<Operations["createProjectWebhookEndpoint"]>["body"];
type UpdateBody = Exchange<Operations["updateProjectWebhookEndpoint"]>["body"];
type EndpointsQuery = Exchange<Operations["listProjectWebhookEndpoints"]>["query"];
type DeliveriesQuery = Exchange<Operations["listProjectWebhookDeliveries"]>["query"];

const ENDPOINTS_PAGE_SIZE = 20;
const LARGEST_PAGE = 100;

/** The webhooks of a path, and where its pages are. */
interface Place {
  readonly webhooks: WebhooksRecord;
  readonly path: string;
}

function webhooksOfProject({
  world,
  params,
}: Pick<Exchange<Operations["listProjectWebhookEndpoints"]>, "world" | "params">): Place {
  const { webhooks } = projectAt(world, params.ref);
  return { webhooks: requireAllowed(webhooks), path: `/v2/projects/${params.ref}/webhooks` };
}

function webhooksOfOrganization({
  world,
  params,
}: Pick<Exchange<Operations["listOrganizationWebhookEndpoints"]>, "world" | "params">): Place {
  const { webhooks } = requireFound(world.state.organizations.get(params.slug), "Organization not found");
  return { webhooks: requireAllowed(webhooks), path: `/v2/organizations/${params.slug}/webhooks` };
}

function requireAllowed(webhooks: WebhooksRecord): WebhooksRecord {
  if (webhooks.allowed) return webhooks;
  throw new Refusal(403, "Forbidden: Access disabled", {}, { code: "webhooks_access_disabled" });
}

const listProjectWebhookEndpoints: Handler<Operations["listProjectWebhookEndpoints"]> = (exchange) =>
  listEndpoints(webhooksOfProject(exchange), exchange.query);
const listOrganizationWebhookEndpoints: Handler<Operations["listOrganizationWebhookEndpoints"]> = (
  exchange,
) => listEndpoints(webhooksOfOrganization(exchange), exchange.query);

function listEndpoints({ webhooks, path }: Place, query: EndpointsQuery): EndpointsAnswer {
  const offset = Number(query["page[offset]"] ?? 0);
  const limit = Number(query["page[limit]"] ?? ENDPOINTS_PAGE_SIZE);
  if (limit < 1 || limit > LARGEST_PAGE) throw new Refusal(400, `page[limit]: expected 1 to ${LARGEST_PAGE}`);
  if (offset % limit !== 0) throw new Refusal(400, "page[offset]: expected a multiple of page[limit]");
  const all = [...webhooks.endpoints.values()];
  const link = (at: number): string | null =>
    at < 0 || at >= all.length ? null : `${path}/endpoints?page[offset]=${at}&page[limit]=${limit}`;
  return {
    data: all.slice(offset, offset + limit).map((endpoint) => viewEndpoint(webhooks, endpoint)),
    links: { prev: link(offset - limit), next: link(offset + limit) },
  };
}

const getProjectWebhookEndpoint: Handler<Operations["getProjectWebhookEndpoint"]> = (exchange) =>
  showEndpoint(webhooksOfProject(exchange), exchange.params.id);
const getOrganizationWebhookEndpoint: Handler<Operations["getOrganizationWebhookEndpoint"]> = (exchange) =>
  showEndpoint(webhooksOfOrganization(exchange), exchange.params.id);

function showEndpoint({ webhooks }: Place, id: string): { data: EndpointView } {
  return { data: viewEndpoint(webhooks, endpointAt(webhooks, id)) };
}

const createProjectWebhookEndpoint: Handler<Operations["createProjectWebhookEndpoint"]> = (exchange) =>
  createEndpoint(webhooksOfProject(exchange), exchange);
const createOrganizationWebhookEndpoint: Handler<Operations["createOrganizationWebhookEndpoint"]> = (
  exchange,
) => createEndpoint(webhooksOfOrganization(exchange), exchange);

/** Unknown whether a second endpoint of the same address is refused: here it is made. */
function createEndpoint(
  { webhooks }: Place,
  { body, world, caller }: { readonly body: CreateBody; readonly world: World; readonly caller: CallSource },
): { data: EndpointView } {
  const {
    url,
    enabled = true,
    description = null,
    event_types,
    custom_headers,
    signing_secret,
  } = body.data.attributes;
  requireResolvable(url);
  const endpoint: WebhookEndpointRecord = {
    id: world.newId(),
    url,
    enabled,
    description,
    eventTypes: event_types.map(({ type }) => type),
    customHeaders: { ...custom_headers },
    signingSecret: signing_secret,
    createdBy: userIdOf(actingUser(caller)),
    createdAt: world.clock.now(),
    deliveries: [],
  };
  webhooks.endpoints.set(endpoint.id, endpoint);
  return { data: viewEndpoint(webhooks, endpoint) };
}

const updateProjectWebhookEndpoint: Handler<Operations["updateProjectWebhookEndpoint"]> = (exchange) =>
  updateEndpoint(webhooksOfProject(exchange), exchange.params.id, exchange.body);
const updateOrganizationWebhookEndpoint: Handler<Operations["updateOrganizationWebhookEndpoint"]> = (
  exchange,
) => updateEndpoint(webhooksOfOrganization(exchange), exchange.params.id, exchange.body);

/** Unknown whether custom headers are merged: here those that are sent replace all. */
function updateEndpoint({ webhooks }: Place, id: string, { data }: UpdateBody): { data: EndpointView } {
  const endpoint = endpointAt(webhooks, id);
  const { url, enabled, description, event_types, custom_headers, signing_secret } = data.attributes;
  if (url !== undefined) requireResolvable(url);
  endpoint.url = url ?? endpoint.url;
  endpoint.enabled = enabled ?? endpoint.enabled;
  if (description !== undefined) endpoint.description = description;
  if (event_types !== undefined) endpoint.eventTypes = event_types.map(({ type }) => type);
  if (custom_headers !== undefined) endpoint.customHeaders = { ...custom_headers };
  endpoint.signingSecret = signing_secret ?? endpoint.signingSecret;
  return { data: viewEndpoint(webhooks, endpoint) };
}

const deleteProjectWebhookEndpoint: Handler<Operations["deleteProjectWebhookEndpoint"]> = (exchange) =>
  deleteEndpoint(webhooksOfProject(exchange), exchange.params.id);
const deleteOrganizationWebhookEndpoint: Handler<Operations["deleteOrganizationWebhookEndpoint"]> = (
  exchange,
) => deleteEndpoint(webhooksOfOrganization(exchange), exchange.params.id);

function deleteEndpoint({ webhooks }: Place, id: string): { data: EndpointView } {
  const endpoint = endpointAt(webhooks, id);
  webhooks.endpoints.delete(id);
  return { data: viewEndpoint(webhooks, endpoint) };
}

const listProjectWebhookDeliveries: Handler<Operations["listProjectWebhookDeliveries"]> = (exchange) =>
  listDeliveries(webhooksOfProject(exchange), exchange.params.id, exchange.query);
const listOrganizationWebhookDeliveries: Handler<Operations["listOrganizationWebhookDeliveries"]> = (
  exchange,
) => listDeliveries(webhooksOfOrganization(exchange), exchange.params.id, exchange.query);

function listDeliveries({ webhooks, path }: Place, id: string, query: DeliveriesQuery): DeliveriesAnswer {
  const { deliveries } = endpointAt(webhooks, id);
  const { "page[after]": after, "page[before]": before, "page[size]": text } = query;
  const size = Number(text ?? ENDPOINTS_PAGE_SIZE);
  if (size < 1 || size > LARGEST_PAGE) throw new Refusal(400, `page[size]: expected 1 to ${LARGEST_PAGE}`);
  const from = after === undefined ? 0 : positionOf(deliveries, after) + 1;
  const end = before === undefined ? from + size : positionOf(deliveries, before);
  const page = deliveries.slice(Math.max(before === undefined ? from : end - size, 0), end);
  const link = (name: string, cursor: string | undefined): string | null =>
    cursor === undefined
      ? null
      : `${path}/endpoints/${id}/deliveries?page[${name}]=${cursor}&page[size]=${size}`;
  const [first] = page;
  const last = page.at(-1);
  return {
    data: page.map(viewDelivery),
    links: {
      prev: first === undefined || first === deliveries[0] ? null : link("before", first.id),
      next: last === undefined || last === deliveries.at(-1) ? null : link("after", last.id),
    },
  };
}

function positionOf(deliveries: readonly WebhookDeliveryRecord[], id: string): number {
  const position = deliveries.findIndex((delivery) => delivery.id === id);
  if (position < 0) throw new Refusal(400, "Invalid cursor", {}, { code: "pagination_cursor_invalid" });
  return position;
}

function endpointAt({ endpoints }: WebhooksRecord, id: string): WebhookEndpointRecord {
  const found = endpoints.get(id);
  if (found !== undefined) return found;
  throw new Refusal(404, "Not Found: Endpoint not found", {}, { code: "endpoint_not_found" });
}

/** What no public name server knows. The emulator asks none: any other name is taken, and nothing is ever sent to it. */
const NOT_PUBLIC = /(?:^|\.)(?:localhost|local|internal|invalid|test)$/;

function requireResolvable(url: string): void {
  const { hostname } = new URL(url);
  const isAddress = isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0;
  if (!isAddress && hostname.includes(".") && !NOT_PUBLIC.test(hostname)) return;
  const message = "The URL must be a domain that resolves to a public address";
  throw new Refusal(400, message, {}, { code: "endpoint_url_unresolvable" });
}

function viewEndpoint({ customHeadersShown }: WebhooksRecord, endpoint: WebhookEndpointRecord): EndpointView {
  const { id, url, enabled, description, eventTypes, customHeaders, createdBy, createdAt } = endpoint;
  const isMasked = customHeadersShown === "masked";
  const shown = Object.entries(customHeaders).map(([name, value]) => [name, isMasked ? "********" : value]);
  return {
    type: "endpoint",
    id,
    attributes: {
      id,
      url,
      enabled,
      description,
      event_types: eventTypes.map((type) => ({ type })),
      ...(customHeadersShown === "no"
        ? {}
        : { custom_headers: Object.fromEntries(shown) as Record<string, string> }),
      created_by: createdBy,
      created_at: new Date(createdAt).toISOString(),
    },
  };
}

function viewDelivery(delivery: WebhookDeliveryRecord): DeliveryView {
  const {
    id,
    eventId,
    status,
    responseCode,
    responseHeaders,
    responseBody,
    errorCode,
    errorMessage,
    at,
    event,
  } = delivery;
  return {
    type: "delivery",
    id,
    attributes: {
      id,
      event_id: eventId,
      status,
      response_code: responseCode,
      response_headers: responseHeaders,
      response_body: responseBody,
      error_code: errorCode,
      error_message: errorMessage,
      attempt_timestamp: new Date(at).toISOString(),
      event: {
        type: event.type,
        payload: { organization_slug: event.organizationSlug, project_ref: event.projectRef },
        timestamp: new Date(event.at).toISOString(),
      },
    },
  };
}

export const webhookHandlers = {
  listProjectWebhookEndpoints,
  listOrganizationWebhookEndpoints,
  getProjectWebhookEndpoint,
  getOrganizationWebhookEndpoint,
  createProjectWebhookEndpoint,
  createOrganizationWebhookEndpoint,
  updateProjectWebhookEndpoint,
  updateOrganizationWebhookEndpoint,
  deleteProjectWebhookEndpoint,
  deleteOrganizationWebhookEndpoint,
  listProjectWebhookDeliveries,
  listOrganizationWebhookDeliveries,
};

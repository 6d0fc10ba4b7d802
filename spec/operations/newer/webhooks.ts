import { z } from "zod";
import { identifier } from "../../identifier";
import { answers, answersOfNamed, json, operation } from "../../operation";
import { projectRef } from "../../shared-fields";

const eventTypes = [
  "v1.project.paused",
  "v1.project.created",
  "v1.project.restored",
  "v1.project.transferred",
  "v1.project.removed",
  "v1.project.restarted",
  "v1.project.status.changed",
  "v1.project.backup.started",
  "v1.project.branch.created",
  "v1.project.branch.updated",
  "v1.project.branch.removed",
  "v1.project.secrets.leaked",
  "v1.organization.member.invitation.created",
  "v1.organization.member.invitation.canceled",
  "v1.organization.member.added",
  "v1.organization.member.removed",
  "v1.organization.member.role.assigned",
  "v1.organization.member.role.removed",
  "v1.organization.member.role.updated",
  "v1.organization.billing.plan.upgraded",
  "v1.organization.billing.plan.downgraded",
  "v1.organization.secrets.leaked",
] as const;

export const webhookEventType = z.enum([...eventTypes, "*"]);

const slug = z.string().regex(/^[\w-]+$/);
const ofProject = z.object({ ref: projectRef });
const ofOrganization = z.object({ slug });
const endpointOfProject = z.object({ ref: projectRef, id: z.uuid() });
const endpointOfOrganization = z.object({ slug, id: z.uuid() });

/** Numbers as text. */
const digits = z.string().regex(/^\d+$/);
const endpointsPage = z.object({ "page[offset]": digits.optional(), "page[limit]": digits.optional() });
const deliveriesPage = z.object({
  "page[before]": z.uuid().optional(),
  "page[after]": z.uuid().optional(),
  "page[size]": digits.optional(),
});

export const webhookEndpointAttributes = z.object({
  id: z.uuid(),
  url: z.url(),
  enabled: z.boolean(),
  description: z.string().max(512).nullable(),
  event_types: z.array(z.object({ type: webhookEventType })),
  custom_headers: z.record(z.string(), z.string()).optional(),
  created_by: z.uuid(),
  created_at: z.iso.datetime(),
});

const endpoint = z.object({
  type: z.enum(["endpoint"]),
  id: identifier(z.uuid()),
  attributes: webhookEndpointAttributes,
});

/** The signing secret is never answered. */
const newEndpointAttributes = z.object({
  url: z.url(),
  enabled: z.boolean().optional(),
  description: z.string().max(512).nullable().optional(),
  event_types: z.array(z.object({ type: webhookEventType })),
  custom_headers: z.record(z.string(), z.string()).optional(),
  signing_secret: z.string().min(8).max(64),
});

const createBody = z.object({
  data: z.object({ type: z.enum(["endpoint"]), attributes: newEndpointAttributes }),
});
const updateBody = z.object({
  data: z.object({ type: z.enum(["endpoint"]), attributes: newEndpointAttributes.partial() }),
});

const pageLinks = z.object({
  first: z.string().nullable().optional(),
  prev: z.string().nullable(),
  next: z.string().nullable(),
  last: z.string().nullable().optional(),
});

const endpointResponse = z.object({ data: endpoint });
const endpointsResponse = z.object({ data: z.array(endpoint), links: pageLinks });

export const webhookDeliveryAttributes = z.object({
  id: z.uuid(),
  event_id: z.uuid(),
  status: z.enum(["pending", "success", "failure", "skipped"]),
  response_code: z.int(),
  response_headers: z.record(z.string(), z.string()),
  response_body: z.union([z.record(z.string(), z.string()), z.string()]).nullable(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  attempt_timestamp: z.iso.datetime(),
  event: z.object({
    type: z.enum(eventTypes),
    payload: z.object({ organization_slug: slug, project_ref: projectRef.nullable() }),
    timestamp: z.iso.datetime(),
  }),
});

const deliveriesResponse = z.object({
  data: z.array(
    z.object({
      type: z.enum(["delivery"]),
      id: identifier(z.uuid()),
      attributes: webhookDeliveryAttributes,
    }),
  ),
  links: pageLinks,
});

const errors = [400, 401, 403, 404, 408, 429, 500];

/** `GET /v2/projects/{ref}/webhooks/endpoints` */
export const listProjectWebhookEndpoints = operation({
  method: "GET",
  path: "/v2/projects/{ref}/webhooks/endpoints",
  params: ofProject,
  query: endpointsPage,
  success: answers(200, endpointsResponse),
  errors,
});

/** `POST /v2/projects/{ref}/webhooks/endpoints` */
export const createProjectWebhookEndpoint = operation({
  method: "POST",
  path: "/v2/projects/{ref}/webhooks/endpoints",
  params: ofProject,
  body: json(createBody),
  success: answers(201, endpointResponse),
  errors,
});

/** `GET /v2/projects/{ref}/webhooks/endpoints/{id}` */
export const getProjectWebhookEndpoint = operation({
  method: "GET",
  path: "/v2/projects/{ref}/webhooks/endpoints/{id}",
  params: endpointOfProject,
  success: answers(200, endpointResponse),
  errors,
});

/** `PATCH /v2/projects/{ref}/webhooks/endpoints/{id}` */
export const updateProjectWebhookEndpoint = operation({
  method: "PATCH",
  path: "/v2/projects/{ref}/webhooks/endpoints/{id}",
  params: endpointOfProject,
  body: json(updateBody),
  success: answersOfNamed(200, endpointResponse),
  errors,
});

/** `DELETE /v2/projects/{ref}/webhooks/endpoints/{id}` */
export const deleteProjectWebhookEndpoint = operation({
  method: "DELETE",
  path: "/v2/projects/{ref}/webhooks/endpoints/{id}",
  params: endpointOfProject,
  success: answersOfNamed(200, endpointResponse),
  errors,
});

/** `GET /v2/projects/{ref}/webhooks/endpoints/{id}/deliveries` */
export const listProjectWebhookDeliveries = operation({
  method: "GET",
  path: "/v2/projects/{ref}/webhooks/endpoints/{id}/deliveries",
  params: endpointOfProject,
  query: deliveriesPage,
  success: answers(200, deliveriesResponse),
  errors,
});

/** `GET /v2/organizations/{slug}/webhooks/endpoints` */
export const listOrganizationWebhookEndpoints = operation({
  method: "GET",
  path: "/v2/organizations/{slug}/webhooks/endpoints",
  params: ofOrganization,
  query: endpointsPage,
  success: answers(200, endpointsResponse),
  errors,
});

/** `POST /v2/organizations/{slug}/webhooks/endpoints` */
export const createOrganizationWebhookEndpoint = operation({
  method: "POST",
  path: "/v2/organizations/{slug}/webhooks/endpoints",
  params: ofOrganization,
  body: json(createBody),
  success: answers(201, endpointResponse),
  errors,
});

/** `GET /v2/organizations/{slug}/webhooks/endpoints/{id}` */
export const getOrganizationWebhookEndpoint = operation({
  method: "GET",
  path: "/v2/organizations/{slug}/webhooks/endpoints/{id}",
  params: endpointOfOrganization,
  success: answers(200, endpointResponse),
  errors,
});

/** `PATCH /v2/organizations/{slug}/webhooks/endpoints/{id}` */
export const updateOrganizationWebhookEndpoint = operation({
  method: "PATCH",
  path: "/v2/organizations/{slug}/webhooks/endpoints/{id}",
  params: endpointOfOrganization,
  body: json(updateBody),
  success: answersOfNamed(200, endpointResponse),
  errors,
});

/** `DELETE /v2/organizations/{slug}/webhooks/endpoints/{id}` */
export const deleteOrganizationWebhookEndpoint = operation({
  method: "DELETE",
  path: "/v2/organizations/{slug}/webhooks/endpoints/{id}",
  params: endpointOfOrganization,
  success: answersOfNamed(200, endpointResponse),
  errors,
});

/** `GET /v2/organizations/{slug}/webhooks/endpoints/{id}/deliveries` */
export const listOrganizationWebhookDeliveries = operation({
  method: "GET",
  path: "/v2/organizations/{slug}/webhooks/endpoints/{id}/deliveries",
  params: endpointOfOrganization,
  query: deliveriesPage,
  success: answers(200, deliveriesResponse),
  errors,
});

export const webhooksOperations = {
  listProjectWebhookEndpoints,
  createProjectWebhookEndpoint,
  getProjectWebhookEndpoint,
  updateProjectWebhookEndpoint,
  deleteProjectWebhookEndpoint,
  listProjectWebhookDeliveries,
  listOrganizationWebhookEndpoints,
  createOrganizationWebhookEndpoint,
  getOrganizationWebhookEndpoint,
  updateOrganizationWebhookEndpoint,
  deleteOrganizationWebhookEndpoint,
  listOrganizationWebhookDeliveries,
};

import { z } from "zod";
import { webhookDeliveryAttributes, webhookEventType } from "../../../../spec/operations/newer/webhooks";
import { mapOf, time } from "./fields";

const delivery = webhookDeliveryAttributes.shape;

/** An attempt to deliver an event. The emulator makes none: it has those that an edit adds. */
const deliveryRecord = z.strictObject({
  id: delivery.id,
  eventId: delivery.event_id,
  status: delivery.status,
  responseCode: delivery.response_code,
  responseHeaders: delivery.response_headers,
  responseBody: delivery.response_body,
  errorCode: delivery.error_code,
  errorMessage: delivery.error_message,
  at: time,
  event: z.strictObject({
    type: delivery.event.shape.type,
    organizationSlug: z.string(),
    projectRef: z.string().nullable(),
    at: time,
  }),
});
export type WebhookDeliveryRecord = z.infer<typeof deliveryRecord>;

const endpointRecord = z.strictObject({
  id: z.string(),
  url: z.string(),
  enabled: z.boolean(),
  description: z.string().nullable(),
  eventTypes: z.array(webhookEventType),
  customHeaders: z.record(z.string(), z.string()),
  signingSecret: z.string(),
  createdBy: z.string(),
  createdAt: time,
  /** The latest is the first. */
  deliveries: z.array(deliveryRecord),
});
export type WebhookEndpointRecord = z.infer<typeof endpointRecord>;

/** The webhooks of a project or an organization. */
export const webhooksRecord = z.strictObject({
  /** Whether they may be used; 403 when not. */
  allowed: z.boolean(),
  /** Whether answers have the custom headers, and with which values: which of these the service does is not known. */
  customHeadersShown: z.enum(["plain", "masked", "no"]),
  /** By id, oldest first. */
  endpoints: mapOf(z.string(), endpointRecord),
});
export type WebhooksRecord = z.infer<typeof webhooksRecord>;

export function newWebhooks(): WebhooksRecord {
  return { allowed: true, customHeadersShown: "plain", endpoints: new Map() };
}

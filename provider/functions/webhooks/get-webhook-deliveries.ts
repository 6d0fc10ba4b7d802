import { z } from "zod";
import type { Api } from "../../define/context";
import { defineFunction } from "../../define/function";
import { secret } from "../../define/markers";
import { organizationSlug, projectRef } from "../../define/shared-arguments";
import { explainMissing, ofOrganization, ofProject } from "../../lookup/missing-errors";
import { OwnerExistsError } from "../../lookup/owner";
import { defineProblem } from "../../client/errors/problem";
import { replaceMessage } from "../../client/errors/with-message";
import {
  describeOwner,
  explainRefusal,
  type WebhookOwner,
} from "../../resources/webhooks/shared/endpoint-calls";
import { problems as endpointProblems } from "../../resources/webhooks/shared/endpoint-problems";
import { pickPresentFields, shareInFlight } from "../answers";
import { requireExactlyOne } from "../one-of-several";

const DEFAULT_LIMIT = 20;

const inputs = z
  .strictObject({
    projectRef: projectRef
      .describe("Reference of the project of a `WebhookEndpoint`. Declare it or `organizationSlug`.")
      .optional(),
    organizationSlug: organizationSlug
      .describe("Slug of the organization of an `OrganizationWebhookEndpoint`. Declare it or `projectRef`.")
      .optional(),
    endpointId: z.uuid().describe("Identifier of the endpoint, the `id` of its resource."),
    limit: z
      .int()
      .min(1)
      .max(100)
      .describe(
        `How many deliveries are returned at most, 1 to 100: the first page that the service returns. Default: ${DEFAULT_LIMIT}.`,
      )
      .optional(),
  })
  .superRefine((given, check) => {
    requireExactlyOne(given, ["projectRef", "organizationSlug"], check);
  });

const delivery = z
  .object({
    deliveryId: z.string().describe("Identifier of the delivery, a UUID."),
    eventId: z.string().describe("Identifier of the event, a UUID.").optional(),
    eventType: z.string().describe("Type of the event, such as `v1.project.paused`.").optional(),
    eventAt: z.string().describe("Time of the event, ISO 8601.").optional(),
    organizationSlug: z.string().describe("Slug of the organization that the event is about.").optional(),
    projectRef: z.string().describe("Reference of the project that the event is about.").optional(),
    status: z.string().describe("`pending`, `success`, `failure` or `skipped`.").optional(),
    attemptedAt: z.string().describe("Time of the attempt, ISO 8601.").optional(),
    responseCode: z.number().describe("Status code that the endpoint answered.").optional(),
    responseHeaders: secret(
      z.record(z.string(), z.string()).describe("Headers that the endpoint answered, by name."),
    ).optional(),
    responseBody: secret(
      z.string().describe("Body that the endpoint answered: as text, an object as JSON."),
    ).optional(),
    errorCode: z.string().describe("Code of the error, if the delivery failed.").optional(),
    errorMessage: z.string().describe("Message of the error, if the delivery failed.").optional(),
  })
  .describe("An attempt to deliver an event to a webhook endpoint.");

const outputs = z.object({
  deliveries: z.array(delivery).describe("Deliveries in the order of the service."),
});

const problems = {
  ...ofProject,
  ...ofOrganization,
  accessDisabled: endpointProblems.accessDisabled,
  noEndpoint: defineProblem({
    says: "The service answers 404 for the deliveries of the endpoint {id} of {owner}, which exists. {remedy}.",
    means: "The endpoint does not exist, or this installation has no webhooks.",
    remedy: "Check `endpointId`, and that the endpoint has not been deleted",
  }),
};

type WireDelivery = Awaited<ReturnType<Api["listProjectWebhookDeliveries"]>>[number];

function fromWire({ id, attributes }: WireDelivery): z.output<typeof delivery> {
  const { event, response_body: body } = attributes ?? {};
  return {
    deliveryId: id,
    ...pickPresentFields({
      eventId: attributes?.event_id,
      eventType: event?.type,
      eventAt: event?.timestamp,
      organizationSlug: event?.payload?.organization_slug,
      projectRef: event?.payload?.project_ref,
      status: attributes?.status,
      attemptedAt: attributes?.attempt_timestamp,
      responseCode: attributes?.response_code,
      responseHeaders: attributes?.response_headers,
      responseBody: body == null || typeof body === "string" ? body : JSON.stringify(body),
      errorCode: attributes?.error_code,
      errorMessage: attributes?.error_message,
    }),
  };
}

/** What was delivered to a webhook endpoint. */
export const getWebhookDeliveries = defineFunction({
  name: "getWebhookDeliveries",
  description:
    "Reads the latest deliveries of a webhook endpoint, at most 100. Some installations do not have this operation.",
  inputs,
  outputs,
  problems,
  async run(ctx, { projectRef: ref, organizationSlug: slug = "", endpointId: id, limit = DEFAULT_LIMIT }) {
    const owner: WebhookOwner = ref === undefined ? { slug } : { ref };
    const list = (): Promise<WireDelivery[]> =>
      "ref" in owner
        ? ctx.api.listProjectWebhookDeliveries({ ref: owner.ref, id, "page[size]": String(limit) })
        : ctx.api.listOrganizationWebhookDeliveries({ slug: owner.slug, id, "page[size]": String(limit) });
    const reading = shareInFlight(ctx, `webhook-deliveries:${JSON.stringify([owner, id, limit])}`, () =>
      list().catch((error: unknown) => {
        if (!(error instanceof OwnerExistsError)) throw error;
        throw replaceMessage(error, problems.noEndpoint.message({ id, owner: describeOwner(owner) }));
      }),
    );
    const missing =
      "ref" in owner
        ? problems.noProject.message({ ref: owner.ref })
        : problems.noOrganization.message({ slug: owner.slug });
    const found = await explainMissing(explainRefusal(owner, reading), missing);
    return { deliveries: found.slice(0, limit).map(fromWire) };
  },
});

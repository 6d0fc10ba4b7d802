import { z } from "zod";
import { webhookEventType } from "../../../../spec/operations/newer/webhooks";
import {
  asSet,
  comparedBy,
  formed,
  identifies,
  resets,
  secret,
  stable,
  stays,
  writeOnly,
} from "../../../define/markers";
import { openEnum } from "../../../define/open-values";
import { isObject } from "../../../../spec/is-object";

/** Inputs that every webhook endpoint has beside the one that names its owner. */
export const endpointFields = {
  url: identifies(
    comparedBy(
      formed(
        z.url({ protocol: /^https?$/ }),
        "an `http` or `https` address",
        "https://hooks.example.com/platform",
      ).describe(
        "Address to which events are sent. Its host must be a domain that resolves to a public address.",
      ),
      normalizeUrl,
    ),
  ),
  eventTypes: identifies(
    asSet(
      z
        .array(
          openEnum(
            webhookEventType.meta({
              id: "WebhookEventType",
              description: "A type of event of the platform. `*` stands for all types.",
              valueNames: { "*": "All" },
            }),
          ),
        )
        .describe("Types of the events that are sent, a set. `*` stands for all types."),
    ),
  ),
  description: resets(
    z.string().max(512).describe("Purpose of the endpoint, at most 512 characters."),
  ).optional(),
  enabled: stays(
    z
      .boolean()
      .describe("Whether events are sent. If omitted, it is not managed; a new endpoint is enabled."),
    "To have events sent, declare `true`.",
  ).optional(),
  customHeaders: resets(
    secret(
      comparedBy(
        z
          .record(z.string(), z.string())
          .describe(
            "Headers that the service adds to each request, by name. Names are compared without regard to case.",
          ),
        normalizeHeaders,
      ),
    ),
  ).optional(),
  signingSecret: stays(
    secret(
      writeOnly(
        z
          .string()
          .min(8)
          .max(64)
          .describe(
            "Secret with which the service signs each request, 8 to 64 characters. A change rotates it in place. The service never returns it, so drift cannot be detected. Default: the provider generates one, see the output `secret`.",
          ),
      ),
    ),
    "For another secret, declare it.",
  ).optional(),
};

export const endpointOutputs = z.object({
  secret: secret(
    z
      .string()
      .describe(
        "The signing secret: the declared one, or the one that the provider generated. Missing for an endpoint that was adopted or imported, unless `signingSecret` is declared.",
      ),
  ).optional(),
  createdAt: stable(z.string().describe("Creation time, ISO 8601.")),
  createdBy: stable(z.string().describe("Identifier of the user who created it, a UUID.")).optional(),
});

const ofOwner = z.object(endpointFields);

export type EndpointInputs = z.output<typeof ofOwner>;
export type EndpointOutputs = z.output<typeof endpointOutputs>;

/** As every reader of addresses writes it. */
export function normalizeUrl(value: unknown): unknown {
  return typeof value === "string" && URL.canParse(value) ? new URL(value).href : value;
}

/** HTTP does not distinguish the case of a header's name. */
export function normalizeHeaders(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name.toLowerCase(), text]));
}

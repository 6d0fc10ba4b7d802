import type { ObservedResource, ResourceState } from "../../../define/resource";
import type { EndpointCreateAttributes, EndpointRecord, EndpointUpdateBody } from "./endpoint-calls";
import type { EndpointInputs, EndpointOutputs } from "./endpoint-fields";

type Attributes = EndpointUpdateBody["data"]["attributes"];

/** What a create says of the declared inputs, beside the secret. */
export function toAttributes(declared: EndpointInputs): Omit<EndpointCreateAttributes, "signing_secret"> {
  const { url, eventTypes, description, enabled, customHeaders } = declared;
  return {
    url,
    event_types: eventTypes.map((type) => ({ type })),
    ...(description === undefined ? {} : { description }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(customHeaders === undefined ? {} : { custom_headers: customHeaders }),
  };
}

/** What of a change is sent: what was taken out of the program is unset, and what did not change stays as it is. */
export function toChangedAttributes(declared: EndpointInputs, changed: ReadonlySet<string>): Attributes {
  const all = toAttributes(declared);
  const { signingSecret } = declared;
  return {
    ...(changed.has("url") && { url: all.url }),
    ...(changed.has("eventTypes") && { event_types: all.event_types }),
    ...(changed.has("description") && { description: all.description ?? null }),
    ...(changed.has("enabled") && all.enabled !== undefined && { enabled: all.enabled }),
    ...(changed.has("customHeaders") && { custom_headers: all.custom_headers ?? {} }),
    ...(changed.has("signingSecret") && signingSecret !== undefined && { signing_secret: signingSecret }),
  };
}

export function toInputs(
  { attributes }: EndpointRecord,
  known: ResourceState<EndpointInputs, EndpointOutputs>,
): ObservedResource<EndpointInputs, EndpointOutputs>["inputs"] {
  const types = attributes?.event_types?.map(({ type }) => type);
  return {
    url: attributes?.url ?? undefined,
    // A type of a later version of the service differs from the declared ones, whatever it is.
    eventTypes: types as EndpointInputs["eventTypes"] | undefined,
    description: attributes?.description,
    enabled: attributes?.enabled ?? undefined,
    customHeaders: readHeaders(attributes?.custom_headers ?? undefined, known.customHeaders),
  };
}

export function toOutputs(
  { attributes }: Pick<EndpointRecord, "attributes">,
  secret: string | undefined,
): ObservedResource<EndpointInputs, EndpointOutputs>["outputs"] {
  return {
    secret,
    createdAt: attributes?.created_at ?? undefined,
    createdBy: attributes?.created_by ?? undefined,
  };
}

/** Dots or asterisks in place of a value. */
const MASKED = /[*•·●]{3,}/u;

/**
 * Whether values come back is not known (service, Webhooks): a masked one counts as the known one of the same name. Where none is
 * known, as at an import, masks are no values that a program could declare.
 */
function readHeaders(
  shown: Readonly<Record<string, string>> | undefined,
  known: Readonly<Record<string, string>> | undefined,
): Record<string, string> | undefined {
  if (shown === undefined) return undefined;
  if (known === undefined && Object.values(shown).some((value) => MASKED.test(value))) return undefined;
  const byName = new Map(Object.entries(known ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [
      name,
      MASKED.test(value) ? (byName.get(name.toLowerCase()) ?? value) : value,
    ]),
  );
}

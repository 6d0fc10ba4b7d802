import { randomBytes } from "node:crypto";
import type { Context } from "../../../define/context";
import type { ImportableObject } from "../../../define/list";
import type {
  CreationResult,
  ExistingResource,
  ObjectCandidate,
  ObservedResource,
} from "../../../define/resource";
import { listDifferingPaths } from "../../../define/compare";
import {
  createEndpoint,
  listEndpointsOnce,
  readEndpoint,
  updateEndpoint,
  type EndpointRecord,
  type WebhookOwner,
} from "./endpoint-calls";
import { endpointFields, normalizeUrl, type EndpointInputs, type EndpointOutputs } from "./endpoint-fields";
import { toAttributes, toChangedAttributes, toInputs, toOutputs } from "./endpoint-wire";

type ObservedEndpoint = ObservedResource<EndpointInputs, EndpointOutputs>;
type ExistingEndpoint = ExistingResource<EndpointInputs, EndpointOutputs>;

/** As long as the service takes: its bytes in hexadecimal are 64 characters. */
const SECRET_BYTES = 32;

/** Endpoints of the same address; only one of the same events is in the way of another. */
export async function findEndpoints(
  ctx: Context,
  owner: WebhookOwner,
  { url, eventTypes }: EndpointInputs,
): Promise<ObjectCandidate[]> {
  const listed = [...(await listEndpointsOnce(ctx, owner)).values()];
  return listed
    .filter(({ attributes }) => attributes?.url == null || normalizeUrl(attributes.url) === normalizeUrl(url))
    .map((each) => ({
      id: each.id,
      label: `${nameEndpoint(each)}, created ${each.attributes?.created_at ?? "at an unknown time"}`,
      createdAt: each.attributes?.created_at ?? undefined,
      collides:
        listDifferingPaths(endpointFields.eventTypes, toInputs(each, {}).eventTypes, eventTypes).length === 0,
    }));
}

export async function listEndpoints(ctx: Context, owner: WebhookOwner): Promise<ImportableObject[]> {
  return [...(await listEndpointsOnce(ctx, owner)).values()].map((each) => ({
    id: each.id,
    name: nameEndpoint(each),
  }));
}

export async function observeEndpoint(
  ctx: Context,
  owner: WebhookOwner,
  { id, state }: ExistingEndpoint,
): Promise<ObservedEndpoint | undefined> {
  const record = await readEndpoint(ctx, owner, id);
  if (record === undefined) return undefined;
  return { inputs: toInputs(record, state), outputs: toOutputs(record, state.secret) };
}

export async function makeEndpoint(
  ctx: Context,
  owner: WebhookOwner,
  declared: EndpointInputs,
): Promise<CreationResult<EndpointInputs, EndpointOutputs>> {
  const secret = declared.signingSecret ?? generateSecret();
  const made = await createEndpoint(ctx, owner, { ...toAttributes(declared), signing_secret: secret });
  return { id: made.id, outputs: toOutputs(made, secret) };
}

/** Of a create without an answer, or whose run died, nobody knows the generated secret any more: another one takes its place. */
export async function settleEndpoint(
  ctx: Context,
  owner: WebhookOwner,
  { id, state, inputs }: ExistingEndpoint & { readonly inputs: EndpointInputs },
): Promise<ObservedEndpoint> {
  const { createdAt, createdBy } = state;
  const known = inputs.signingSecret ?? state.secret;
  if (known !== undefined || ctx.ledger.isAdopted)
    return { inputs: {}, outputs: { secret: known, createdAt, createdBy } };
  const secret = generateSecret();
  await updateEndpoint(ctx, owner, id, { signing_secret: secret });
  return { inputs: {}, outputs: { secret, createdAt, createdBy } };
}

export async function changeEndpoint(
  ctx: Context,
  owner: WebhookOwner,
  {
    id,
    state,
    inputs: declared,
    changed,
  }: ExistingEndpoint & { readonly inputs: EndpointInputs; readonly changed: ReadonlySet<string> },
): Promise<Partial<ObservedEndpoint>> {
  const attributes = toChangedAttributes(declared, changed);
  const secret = declared.signingSecret ?? state.secret;
  if (Object.keys(attributes).length === 0) return { outputs: { secret } };
  return { outputs: toOutputs(await updateEndpoint(ctx, owner, id, attributes), secret) };
}

function generateSecret(): string {
  return randomBytes(SECRET_BYTES).toString("hex");
}

function nameEndpoint({ attributes }: EndpointRecord): string {
  const events = attributes?.event_types?.length ?? 0;
  return `${formatHost(attributes?.url)} (${events} event ${events === 1 ? "type" : "types"})`;
}

/** Many a receiver has its token in the path or the query of its address, which is not this program's to show. */
function formatHost(url: string | null | undefined): string {
  if (url == null || !URL.canParse(url)) return "no address";
  const { origin, pathname, search } = new URL(url);
  return pathname === "/" && search === "" ? origin : `${origin}/…`;
}

import { attributeMapping } from "../../../../spec/operations/sso-providers";
import type { Context } from "../../../define/context";
import { inProject } from "../../../define/import-id";
import { listInProject, UUID } from "../../../define/list";
import { requireProjectRef } from "../../../define/require-project-ref";
import { refuseEmptyListing } from "../../../lookup/unproven-absence";
import { defineResource, type CheckFailure } from "../../../define/resource";
import { mergeUnknown } from "../../../settings/mapping/keep-unknown";
import {
  createProvider,
  deleteProvider,
  listSsoProvidersOnce,
  updateProvider,
  addMetadataXml,
  type SsoProviderRecord,
  type SsoProviderUpdateBody,
} from "./calls";
import { ssoProviderInputs, ssoProviderOutputs, type SsoProviderInputs } from "./fields";
import { readEntityId, normalizeDomains } from "./metadata";
import { problems } from "./problems";
import { fromWire, toBody } from "./wire";

/** A SAML identity provider through which users of a project sign in. */
export const ssoProvider = defineResource({
  type: "SsoProvider",
  description:
    "A SAML identity provider through which users of a project sign in. SAML must be enabled for the project.",
  inputs: ssoProviderInputs,
  outputs: ssoProviderOutputs,
  timeouts: { create: 300, update: 300, delete: 300 },
  importId: { ...inProject("providerId", "`getSsoProviders`"), alsoDeclares: ["metadataUrl", "metadataXml"] },
  list: listInProject(
    async (ctx, ref) =>
      (await listSsoProvidersOnce(ctx, ref)).map((each) => ({ id: each.id, name: formatProvider(each) })),
    UUID,
  ),
  problems,

  check: (inputs, isUnknown) => ({ failures: checkMetadata(inputs, isUnknown) }),

  async find(ctx, declared) {
    const providers = await listSsoProvidersOnce(ctx, declared.projectRef);
    return providers
      .filter((each) => isSame(each, declared))
      .map((each) => ({ id: each.id, label: formatProvider(each), createdAt: each.created_at ?? undefined }));
  },

  async read(ctx, { id, state }) {
    const ref = requireProjectRef(state);
    const listed = (await listSsoProvidersOnce(ctx, ref)).find((each) => each.id === id);
    if (listed === undefined) return undefined;
    const needsXml = state.metadataXml !== undefined || listed.saml?.metadata_url == null;
    const observed = fromWire(needsXml ? await addMetadataXml(ctx, ref, listed) : listed, state);
    return { ...observed, inputs: { ...observed.inputs, projectRef: ref } };
  },

  // The answers to writes may leave nested objects out (service, SSO providers): of them only outputs are taken.
  async create(ctx, declared) {
    const { projectRef: ref, type = "saml" } = declared;
    const made = await createProvider(ctx, ref, { type, ...toBody(declared) });
    return { id: made.id, outputs: fromWire(made, declared).outputs };
  },

  async update(ctx, { id, inputs: declared }) {
    const body = await keepUnknownMappings(ctx, id, declared);
    const updated = await updateProvider(ctx, declared.projectRef, id, body);
    return { outputs: fromWire(updated, declared).outputs };
  },

  delete: (ctx, { id, state }) => deleteProvider(ctx, requireProjectRef(state), id),
});

/** A mapping is replaced whole, with what this version does not know of it. */
async function keepUnknownMappings(
  ctx: Context,
  id: string,
  declared: SsoProviderInputs,
): Promise<SsoProviderUpdateBody> {
  const body = toBody(declared);
  if (body.attribute_mapping === undefined) return body;
  const { projectRef: ref } = declared;
  const current = (await listSsoProvidersOnce(ctx, ref)).find((each) => each.id === id);
  if (current === undefined) await refuseEmptyListing(ctx, ref, "SSO providers");
  const attribute_mapping = mergeUnknown(
    attributeMapping,
    current?.saml?.attribute_mapping,
    body.attribute_mapping,
  );
  return { ...body, attribute_mapping };
}

function checkMetadata(
  { metadataXml, metadataUrl }: Partial<SsoProviderInputs>,
  isUnknown: (name: "metadataXml" | "metadataUrl") => boolean,
): CheckFailure[] {
  const isXmlGiven = metadataXml !== undefined;
  const isUrlGiven = metadataUrl !== undefined;
  if (isXmlGiven && isUrlGiven) {
    return [{ path: "metadataXml", reason: problems.metadataTwice.message() }];
  }
  if (isXmlGiven || isUrlGiven || isUnknown("metadataXml") || isUnknown("metadataUrl")) return [];
  return [{ path: "metadataUrl", reason: "one of `metadataUrl` and `metadataXml` is required" }];
}

/** Neither an entity nor a domain can be at two providers of a project. */
function isSame({ saml, domains }: SsoProviderRecord, declared: SsoProviderInputs): boolean {
  const { metadataUrl, metadataXml } = declared;
  if (metadataUrl !== undefined && saml?.metadata_url === metadataUrl) return true;
  const entityId = readEntityId(metadataXml);
  if (entityId !== undefined && saml?.entity_id === entityId) return true;
  const wanted = normalizeDomains(declared.domains ?? []);
  const taken = normalizeDomains(domains?.flatMap(({ domain }) => domain ?? []) ?? []);
  return Array.isArray(wanted) && Array.isArray(taken) && wanted.some((domain) => taken.includes(domain));
}

function formatProvider({ saml, domains, created_at }: SsoProviderRecord): string {
  const served = domains?.flatMap(({ domain }) => domain ?? []).join(", ") ?? "";
  const parts = [saml?.entity_id ?? "unknown entity", ...(served === "" ? [] : [`for ${served}`])];
  return `${parts.join(" ")}, created ${created_at ?? "at an unknown time"}`;
}

import type { z } from "zod";
import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import { projectAt, settledProjectAt } from "../shared/project-at";
import { authConfigOf } from "./auth-config-view";
import type { ProjectRecord } from "../../world/records/project";
import type { SsoProviderRecord } from "../../world/records/auth";
import { readMetadata } from "./saml-metadata";
import { requireFound, Refusal } from "../../answers/refusal";

type SsoProviderView = OperationAnswer<Operations["getSsoProvider"]>;
type SsoProviderChanges = z.output<NonNullable<Operations["updateSsoProvider"]["body"]>["schema"]>;

const listSsoProviders: Handler<Operations["listSsoProviders"]> = ({ params, world }) => {
  const project = offeredProject(world, projectAt(world, params.ref));
  return { items: [...project.ssoProviders.values()].map((provider) => viewProvider(world, provider)) };
};

const createSsoProvider: Handler<Operations["createSsoProvider"]> = ({ params, body, world }) => {
  const project = offeredProject(world, settledProjectAt(world, params.ref, "auth"));
  const metadata = readMetadata(world, body);
  if (metadata === undefined) throw new Refusal(400, "Either metadata_xml or metadata_url must be set");
  requireFreeEntity(project, metadata.entityId, undefined);
  requireFreeDomains(project, body.domains ?? [], undefined);
  const now = world.clock.now();
  const provider: SsoProviderRecord = {
    id: world.newId(),
    samlId: world.newId(),
    ...metadata,
    attributeMapping: body.attribute_mapping ?? null,
    nameIdFormat: body.name_id_format ?? null,
    domains: (body.domains ?? []).map((domain) => newDomain(world, domain)),
    createdAt: now,
    updatedAt: now,
  };
  project.ssoProviders.set(provider.id, provider);
  const view = viewProvider(world, provider);
  return world.state.ssoNestedIdsOmitted ? withoutNestedIds(view) : view;
};

const getSsoProvider: Handler<Operations["getSsoProvider"]> = ({ params, world }) =>
  viewProvider(world, providerAt(offeredProject(world, projectAt(world, params.ref)), params.provider_id));

/** What the body leaves out stays as it is. */
const updateSsoProvider: Handler<Operations["updateSsoProvider"]> = ({ params, body, world }) => {
  const project = offeredProject(world, settledProjectAt(world, params.ref, "auth"));
  const provider = providerAt(project, params.provider_id);
  const metadata = readMetadata(world, body);
  if (metadata !== undefined) requireFreeEntity(project, metadata.entityId, provider);
  if (body.domains !== undefined) requireFreeDomains(project, body.domains, provider);
  Object.assign(provider, metadata);
  apply(world, provider, body);
  return viewProvider(world, provider);
};

const deleteSsoProvider: Handler<Operations["deleteSsoProvider"]> = ({ params, world }) => {
  const project = offeredProject(world, settledProjectAt(world, params.ref, "auth"));
  const provider = providerAt(project, params.provider_id);
  project.ssoProviders.delete(provider.id);
  return viewProvider(world, provider);
};

function apply(world: World, provider: SsoProviderRecord, body: SsoProviderChanges): void {
  if (body.attribute_mapping !== undefined) provider.attributeMapping = body.attribute_mapping;
  if (body.name_id_format !== undefined) provider.nameIdFormat = body.name_id_format;
  if (body.domains !== undefined) {
    const kept = new Map(provider.domains.map((one) => [one.domain, one]));
    provider.domains = body.domains.map((domain) => kept.get(domain) ?? newDomain(world, domain));
  }
  provider.updatedAt = world.clock.now();
}

/** With SAML switched off the endpoints answer as ever, or 404 where that is wanted (service, SSO providers). */
function offeredProject({ state }: World, project: ProjectRecord): ProjectRecord {
  if (state.auth.ssoNeedsSaml && authConfigOf(project).saml_enabled !== true) {
    throw new Refusal(404, "SAML 2.0 support is not enabled for this project");
  }
  return project;
}

function providerAt(project: ProjectRecord, id: string): SsoProviderRecord {
  return requireFound(project.ssoProviders.get(id), "SSO Identity Provider not found");
}

function others(project: ProjectRecord, provider: SsoProviderRecord | undefined): SsoProviderRecord[] {
  return [...project.ssoProviders.values()].filter((other) => other !== provider);
}

function requireFreeEntity(
  project: ProjectRecord,
  entityId: string,
  provider: SsoProviderRecord | undefined,
): void {
  if (others(project, provider).some((other) => other.entityId === entityId)) {
    throw new Refusal(422, `A SAML provider with the entity ID ${entityId} exists already`);
  }
}

function requireFreeDomains(
  project: ProjectRecord,
  domains: readonly string[],
  provider: SsoProviderRecord | undefined,
): void {
  const used = new Set(
    others(project, provider).flatMap((other) => other.domains.map(({ domain }) => domain)),
  );
  for (const domain of domains) {
    if (used.has(domain)) throw new Refusal(422, `The domain ${domain} is in use by an SSO provider already`);
    used.add(domain);
  }
}

function newDomain(world: World, domain: string): SsoProviderRecord["domains"][number] {
  const now = world.clock.now();
  return { id: world.newId(), domain, createdAt: now, updatedAt: now };
}

/** As measured, no nested object has an id; recorded is what one has that was made by its XML (service, SSO providers). */
function viewProvider({ state }: World, provider: SsoProviderRecord): SsoProviderView {
  const view = viewDocumented(provider);
  if (!isAsMeasured(state)) return view;
  const { saml, ...others } = withoutNestedIds(view);
  const isByXml = provider.metadataUrl === null;
  return {
    ...others,
    ...{ disabled: null },
    ...(saml && { saml: { ...(isByXml ? { attribute_mapping: {} } : {}), ...saml } }),
  };
}

function viewDocumented(provider: SsoProviderRecord): SsoProviderView {
  return {
    id: provider.id,
    saml: {
      id: provider.samlId,
      entity_id: provider.entityId,
      ...(provider.metadataUrl === null ? {} : { metadata_url: provider.metadataUrl }),
      ...(provider.metadataXml === null ? {} : { metadata_xml: provider.metadataXml }),
      ...(provider.attributeMapping === null ? {} : { attribute_mapping: provider.attributeMapping }),
      ...(provider.nameIdFormat === null ? {} : { name_id_format: provider.nameIdFormat }),
    },
    domains: provider.domains.map(({ id, domain, createdAt, updatedAt }) => ({
      id,
      domain,
      created_at: new Date(createdAt).toISOString(),
      updated_at: new Date(updatedAt).toISOString(),
    })),
    created_at: new Date(provider.createdAt).toISOString(),
    updated_at: new Date(provider.updatedAt).toISOString(),
  };
}

/** The running service leaves out what the table requires here (service, SSO providers), which the type cannot say. */
function withoutNestedIds(view: SsoProviderView): SsoProviderView {
  const drop = (nested: object): object =>
    Object.fromEntries(Object.entries(nested).filter(([key]) => key !== "id"));
  return {
    ...view,
    saml: drop(view.saml ?? {}),
    domains: view.domains?.map(drop),
  } as unknown as SsoProviderView;
}

export const ssoProviderHandlers = {
  listSsoProviders,
  createSsoProvider,
  getSsoProvider,
  updateSsoProvider,
  deleteSsoProvider,
};

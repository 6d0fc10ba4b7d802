import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import { projectAt, settledProjectAt } from "../shared/project-at";
import { derivedText, sha256Base64Url } from "../../world/derived-bytes";
import type { ProjectRecord } from "../../world/records/project";
import type { ApiKeyRecord } from "../../world/records/auth";
import { legacyApiKeys } from "./legacy-api-keys";
import { requireFound, Refusal } from "../../answers/refusal";

type ApiKeyView = OperationAnswer<Operations["getApiKey"]>;

const HIDDEN = "·".repeat(26);

const listApiKeys: Handler<Operations["listApiKeys"]> = ({ params, query, world }) => {
  const project = projectAt(world, params.ref);
  return [
    ...legacyApiKeys(world, project),
    ...[...project.apiKeys.values()].map((key) => viewApiKey(key, query.reveal)),
  ];
};

const createApiKey: Handler<Operations["createApiKey"]> = ({ params, query, body, world }) => {
  const project = settledProjectAt(world, params.ref);
  requireFreeName(project, body);
  const { type, name, description, secret_jwt_template: secretJwtTemplate } = body;
  const key = newApiKey(world, { type, name, description, secretJwtTemplate });
  project.apiKeys.set(key.id, key);
  return viewApiKey(key, query.reveal);
};

const getApiKey: Handler<Operations["getApiKey"]> = ({ params, query, world }) =>
  viewApiKey(keyAt(world, projectAt(world, params.ref), params.id), query.reveal);

const updateApiKey: Handler<Operations["updateApiKey"]> = ({ params, query, body, world }) => {
  const project = settledProjectAt(world, params.ref);
  const key = keyAt(world, project, params.id);
  if (body.name !== undefined && body.name !== key.name) {
    requireFreeName(project, { type: key.type, name: body.name });
    key.name = body.name;
  }
  if (body.description !== undefined) key.description = body.description;
  if (body.secret_jwt_template !== undefined) key.secretJwtTemplate = body.secret_jwt_template;
  key.updatedAt = world.clock.now();
  return viewApiKey(key, query.reveal);
};

const deleteApiKey: Handler<Operations["deleteApiKey"]> = ({ params, query, world }) => {
  const project = settledProjectAt(world, params.ref);
  const key = keyAt(world, project, params.id);
  project.apiKeys.delete(key.id);
  project.deletedApiKeys.push({
    id: key.id,
    name: key.name,
    wasCompromised: query.was_compromised ?? false,
    reason: query.reason ?? null,
  });
  return viewApiKey(key, query.reveal);
};

function keyAt({ state }: World, project: ProjectRecord, id: string): ApiKeyRecord {
  const key = project.apiKeys.get(id);
  if (key === undefined && isAsMeasured(state)) {
    throw new Refusal(406, "Failed to find API key for project");
  }
  return requireFound(key, "API key not found");
}

/** A name is unique among the keys of its type (service, API keys). */
function requireFreeName(project: ProjectRecord, { type, name }: Pick<ApiKeyRecord, "type" | "name">): void {
  const isTaken = [...project.apiKeys.values()].some((key) => key.type === type && key.name === name);
  if (isTaken) throw new Refusal(409, `A ${type} API key named ${name} exists already`);
}

/** A secret key is shown as its prefix followed by dots, unless it is revealed (service, API keys). */
function viewApiKey(key: ApiKeyRecord, reveal: boolean | undefined): ApiKeyView {
  const isShown = reveal === true || key.type === "publishable";
  return {
    api_key: isShown ? key.apiKey : `${key.prefix}${HIDDEN}`,
    id: key.id,
    type: key.type,
    prefix: key.prefix,
    name: key.name,
    description: key.description,
    hash: sha256Base64Url(key.apiKey),
    secret_jwt_template: key.secretJwtTemplate,
    inserted_at: timeOf(key.insertedAt),
    updated_at: timeOf(key.updatedAt),
  };
}

/** The times of keys have microseconds and an offset (service, API keys). */
function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace("Z", "000+00:00");
}

interface ApiKeyPlan extends Pick<ApiKeyRecord, "type" | "name"> {
  readonly description?: string | null | undefined;
  readonly secretJwtTemplate?: ApiKeyRecord["secretJwtTemplate"] | undefined;
}

/** The keys that a project has from its first moment, beside the legacy ones (service, API keys). */
export function defaultApiKeys(world: World): Map<string, ApiKeyRecord> {
  const keys = (["publishable", "secret"] as const).map((type) =>
    newApiKey(world, { type, name: "default" }),
  );
  return new Map(keys.map((key) => [key.id, key]));
}

function newApiKey(world: World, plan: ApiKeyPlan): ApiKeyRecord {
  const id = world.newId();
  const now = world.clock.now();
  const material = derivedText(`${id} ${world.newId()}`, 24);
  const start = `${world.issued.keyPrefix}_${plan.type}_`;
  return {
    id,
    type: plan.type,
    name: plan.name,
    description: plan.description ?? null,
    apiKey: `${start}${material}`,
    prefix: `${start}${material.slice(0, 5)}`,
    // Without a template, a secret key acts as the service's own role.
    secretJwtTemplate: plan.secretJwtTemplate ?? (plan.type === "secret" ? { role: "service_role" } : null),
    insertedAt: now,
    updatedAt: now,
  };
}

export const apiKeyHandlers = { listApiKeys, createApiKey, getApiKey, updateApiKey, deleteApiKey };

import type { Answer } from "../../../spec/operation";
import type { Operations } from "../../../spec/table";
import { orNotFound, Refusal, type Handler } from "../../handler";
import { projectAt, settledProjectAt } from "../access";
import { sha256Base64Url } from "../derived-bytes";
import { legacyApiKeys } from "./legacy-api-keys";
import { newApiKey } from "./new-api-key";
import type { ProjectRecord } from "../records/project";
import type { ApiKeyRecord } from "../records/sub-resources";

type ApiKeyView = Answer<Operations["getApiKey"]>;

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
  viewApiKey(keyAt(projectAt(world, params.ref), params.id), query.reveal);

const updateApiKey: Handler<Operations["updateApiKey"]> = ({ params, query, body, world }) => {
  const project = settledProjectAt(world, params.ref);
  const key = keyAt(project, params.id);
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
  const key = keyAt(project, params.id);
  project.apiKeys.delete(key.id);
  project.deletedApiKeys.push({
    id: key.id,
    name: key.name,
    wasCompromised: query.was_compromised ?? false,
    reason: query.reason ?? null,
  });
  return viewApiKey(key, query.reveal);
};

function keyAt(project: ProjectRecord, id: string): ApiKeyRecord {
  return orNotFound(project.apiKeys.get(id), "API key not found");
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

export const apiKeyHandlers = { listApiKeys, createApiKey, getApiKey, updateApiKey, deleteApiKey };

import type { World } from "../../world/world";
import { derivedText } from "../derived-bytes";
import type { ApiKeyRecord } from "../records/sub-resources";

export interface ApiKeyPlan extends Pick<ApiKeyRecord, "type" | "name"> {
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

export function newApiKey(world: World, plan: ApiKeyPlan): ApiKeyRecord {
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

import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import type { World } from "../../world/world";
import { projectAt, settledProjectAt } from "../shared/project-at";
import { sha256Base64Url } from "../../world/derived-bytes";
import { signWithJwtSecret } from "./json-web-tokens";
import { legacyKeyOf } from "./signing-keys";
import type { ProjectRecord } from "../../world/records/project";
import { Refusal } from "../../answers/refusal";

/** Such keys are meant to last. */
const LIFETIME_SECONDS = 10 * 365 * 24 * 3600;

const getLegacyApiKeys: Handler<Operations["getLegacyApiKeys"]> = ({ params, world }) => {
  requireOffered(world);
  return { enabled: projectAt(world, params.ref).legacyApiKeysEnabled };
};

const updateLegacyApiKeys: Handler<Operations["updateLegacyApiKeys"]> = ({ params, query, world }) => {
  requireOffered(world);
  const project = settledProjectAt(world, params.ref);
  // Unknown whether the service takes this: such keys would be refused by the project itself.
  if (query.enabled && legacyKeyOf(project)?.status === "revoked") {
    throw new Refusal(422, "The legacy API keys cannot be enabled while the legacy signing key is revoked");
  }
  project.legacyApiKeysEnabled = query.enabled;
  return { enabled: query.enabled };
};

/** The two JWT-based keys that every project has while they are enabled: without template and times (service, API keys). */
export function legacyApiKeys(
  world: World,
  project: ProjectRecord,
): OperationAnswer<Operations["listApiKeys"]> {
  if (!project.legacyApiKeysEnabled) return [];
  return ["anon", "service_role"].map((name) => {
    const token = legacyApiKey(world, project, name);
    return {
      api_key: token,
      id: name,
      type: "legacy" as const,
      prefix: token.slice(0, 5),
      name,
      description: `Legacy ${name} API key`,
      hash: sha256Base64Url(token),
    };
  });
}

/** Always the same one: it follows from the project's JWT secret. */
function legacyApiKey({ issued }: World, project: ProjectRecord, role: string): string {
  const iat = Math.floor(project.createdAt / 1000);
  const claims = { iss: issued.jwtIssuer, ref: project.ref, role, iat, exp: iat + LIFETIME_SECONDS };
  return signWithJwtSecret(project, claims);
}

/** These endpoints will be removed (service, Versions). */
function requireOffered({ state }: World): void {
  if (!state.auth.legacyApiKeysOffered) throw new Refusal(404, "There are no legacy API keys any more");
}

export const legacyApiKeyHandlers = { getLegacyApiKeys, updateLegacyApiKeys };

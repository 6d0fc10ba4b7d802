import type { Operations } from "../../../spec/table";
import { orNotFound, Refusal, type Handler } from "../../handler";
import type { World } from "../../world/world";
import { projectAt, settledProjectAt } from "../access";
import type { ProjectRecord } from "../records/project";
import type { SigningKeyRecord } from "../records/sub-resources";
import { retireKeyInUse, viewKey } from "./signing-key-status";

/** Sets up the existing JWT secret as a key in use (service, Signing keys). */
const createLegacySigningKey: Handler<Operations["createLegacySigningKey"]> = ({ params, world }) => {
  requireOffered(world);
  const project = settledProjectAt(world, params.ref, "auth");
  if (legacyKeyOf(project) !== undefined) throw new Refusal(409, "The legacy signing key is set up already");
  retireKeyInUse(project, world.clock.now());
  return viewKey(addLegacyKey(world, project));
};

const getLegacySigningKey: Handler<Operations["getLegacySigningKey"]> = ({ params, world }) => {
  requireOffered(world);
  const key = orNotFound(legacyKeyOf(projectAt(world, params.ref)), "The legacy signing key is not set up");
  return viewKey(key);
};

/** Makes the project's JWT secret its signing key in use; the secret itself stays where it is. */
export function addLegacyKey(world: World, project: ProjectRecord): SigningKeyRecord {
  const now = world.clock.now();
  const key: SigningKeyRecord = {
    id: world.newId(),
    algorithm: "HS256",
    status: "in_use",
    legacy: true,
    publicJwk: null,
    privateJwk: null,
    createdAt: now,
    updatedAt: now,
    statusChangedAt: null,
  };
  project.signingKeys.set(key.id, key);
  return key;
}

export function legacyKeyOf(project: ProjectRecord): SigningKeyRecord | undefined {
  return [...project.signingKeys.values()].find(({ legacy }) => legacy);
}

/** These endpoints will be removed (service, Versions). */
function requireOffered({ state }: World): void {
  if (!state.auth.legacySigningKeyOffered) throw new Refusal(404, "There is no legacy signing key any more");
}

export const legacySigningKeyHandlers = { createLegacySigningKey, getLegacySigningKey };

import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import { projectAt, settledProjectAt } from "../shared/project-at";
import type { ProjectRecord } from "../../world/records/project";
import type { SigningKeyRecord, SigningKeyStatus } from "../../world/records/auth";
import { generateKey, publicJwk, requireMatchingKey } from "./key-material";
import { requireFound, Refusal } from "../../answers/refusal";

/** Between two changes of one key's state, and from its revocation to its deletion; at pace 1 (service, Signing keys). */
const BETWEEN_CHANGES_MS = 5 * 60_000;
const REVOKED_FOR_MS = 5 * 60_000;

const listSigningKeys: Handler<Operations["listSigningKeys"]> = ({ params, world }) => ({
  keys: [...projectAt(world, params.ref).signingKeys.values()].map(viewKey),
});

const createSigningKey: Handler<Operations["createSigningKey"]> = ({ params, body, world }) => {
  const project = settledProjectAt(world, params.ref, "auth");
  requireOldEnough(world, project);
  const { algorithm, private_jwk: supplied } = body;
  if (supplied !== undefined) requireMatchingKey(algorithm, supplied);
  const status = body.status ?? "standby";
  if (status === "standby") requireNoStandby(world, project);
  const id = supplied?.kid ?? world.newId();
  requireFreeId(world, project, id);
  const now = world.clock.now();
  const jwk = supplied ?? generateKey(algorithm);
  if (status === "in_use") retireKeyInUse(world, project);
  const key: SigningKeyRecord = {
    id,
    algorithm,
    status,
    legacy: false,
    publicJwk: publicJwk(id, algorithm, jwk),
    privateJwk: { ...jwk },
    createdAt: now,
    updatedAt: now,
    statusChangedAt: null,
  };
  project.signingKeys.set(id, key);
  return viewKey(key);
};

const getSigningKey: Handler<Operations["getSigningKey"]> = ({ params, world }) =>
  viewKey(keyAt(projectAt(world, params.ref), params.id));

const updateSigningKey: Handler<Operations["updateSigningKey"]> = ({ params, body, world }) => {
  const project = settledProjectAt(world, params.ref, "auth");
  const key = keyAt(project, params.id);
  const { status } = body;
  if (status === key.status) return viewKey(key);
  requireMove(world, key, status);
  requirePause(world, key);
  if (status === "standby") requireNoStandby(world, project);
  if (status === "previously_used") requireRoomForUsed(world, project);
  if (status === "revoked" && key.legacy && project.legacyApiKeysEnabled) {
    throw new Refusal(422, "The legacy key cannot be revoked while the legacy API keys are enabled");
  }
  const now = world.clock.now();
  if (status === "in_use") retireKeyInUse(world, project);
  changeStatus(key, status, now);
  return viewKey(key);
};

/** Only what has been revoked for a while can be deleted (service, Signing keys). */
const deleteSigningKey: Handler<Operations["deleteSigningKey"]> = ({ params, world }) => {
  const project = settledProjectAt(world, params.ref, "auth");
  const key = keyAt(project, params.id);
  if (key.legacy) throw new Refusal(422, `The legacy key, now ${key.status}, cannot be deleted`);
  if (key.status !== "revoked") {
    throw new Refusal(422, `A signing key that is ${key.status} cannot be deleted: revoke it first`);
  }
  const deletableAt = (key.statusChangedAt ?? key.createdAt) + REVOKED_FOR_MS * world.pace;
  if (world.clock.now() < deletableAt) {
    throw new Refusal(422, `Too soon: the key can be deleted once it has been revoked ${until(deletableAt)}`);
  }
  project.signingKeys.delete(key.id);
  return viewKey(key);
};

/** A project made a moment ago took no new key yet, and said from when on it does; that is seen no more (service, Signing keys). */
function requireOldEnough(world: World, { createdAt }: ProjectRecord): void {
  if (isAsMeasured(world.state)) return;
  const takenFrom = createdAt + world.state.auth.signingKeyAfterMs * world.pace;
  if (world.clock.now() < takenFrom) throw new Refusal(400, `Please wait ${until(takenFrom)}`);
}

function keyAt(project: ProjectRecord, id: string): SigningKeyRecord {
  return requireFound(project.signingKeys.get(id), "Signing key not found");
}

function requireMove(world: World, key: SigningKeyRecord, status: SigningKeyStatus): void {
  const possible = world.state.signingKeyMoves[key.status];
  if (possible.includes(status)) return;
  const instead = possible.length === 0 ? "" : `; possible: ${possible.join(", ")}`;
  throw new Refusal(422, `A signing key that is ${key.status} cannot be set to ${status}${instead}`);
}

/** Changes of state are throttled (service, Signing keys). */
function requirePause(world: World, key: SigningKeyRecord): void {
  if (key.statusChangedAt === null) return;
  const changeableAt = key.statusChangedAt + BETWEEN_CHANGES_MS * world.pace;
  if (world.clock.now() < changeableAt) {
    throw new Refusal(422, `Too soon: the key became ${key.status} and stays so ${until(changeableAt)}`);
  }
}

/** One standby key at a time (service, Signing keys). */
function requireNoStandby({ state }: World, project: ProjectRecord): void {
  const standby = [...project.signingKeys.values()].find(({ status }) => status === "standby");
  if (standby === undefined) return;
  throw new Refusal(
    422,
    isAsMeasured(state)
      ? "Project already has a signing key in standby"
      : `There is a standby key already: ${standby.id}`,
  );
}

/** How many keys can be previously used at a time (service, Signing keys). */
const MOST_USED = 3;

function requireRoomForUsed({ state }: World, project: ProjectRecord): void {
  const used = [...project.signingKeys.values()].filter(({ status }) => status === "previously_used");
  if (!isAsMeasured(state) || used.length < MOST_USED) return;
  throw new Refusal(
    422,
    "There already are 3 previously used signing keys. To proceed first revoke at least 1.",
  );
}

/** As measured, an id that any project has is taken (service, Signing keys). */
function requireFreeId({ state }: World, project: ProjectRecord, id: string): void {
  if (isAsMeasured(state)) {
    const isTaken = [...state.projects.values()].some(({ signingKeys }) => signingKeys.has(id));
    if (isTaken) throw new Refusal(409, `Signing key with kid "${id}" already exists`);
  } else if (project.signingKeys.has(id)) {
    throw new Refusal(409, `A signing key with the id ${id} exists already`);
  }
}

function until(time: number): string {
  return `until ${new Date(time).toISOString()}`;
}

/** Private keys are never returned (service, Signing keys). */
function viewKey(key: SigningKeyRecord): OperationAnswer<Operations["getSigningKey"]> {
  return {
    id: key.id,
    algorithm: key.algorithm,
    status: key.status,
    public_jwk: key.publicJwk,
    created_at: new Date(key.createdAt).toISOString(),
    updated_at: new Date(key.updatedAt).toISOString(),
  };
}

/** Another key takes over (service, Signing keys). */
function retireKeyInUse(world: World, project: ProjectRecord): void {
  const inUse = [...project.signingKeys.values()].filter(({ status }) => status === "in_use");
  if (inUse.length > 0) requireRoomForUsed(world, project);
  for (const key of inUse) changeStatus(key, "previously_used", world.clock.now());
}

function changeStatus(key: SigningKeyRecord, status: SigningKeyStatus, now: number): void {
  key.status = status;
  key.statusChangedAt = now;
  key.updatedAt = now;
}

/** Sets up the existing JWT secret as a key in use (service, Signing keys). */
const createLegacySigningKey: Handler<Operations["createLegacySigningKey"]> = ({ params, world }) => {
  requireLegacyKeyOffered(world);
  const project = settledProjectAt(world, params.ref, "auth");
  if (legacyKeyOf(project) !== undefined) throw new Refusal(409, "The legacy signing key is set up already");
  retireKeyInUse(world, project);
  return viewKey(addLegacyKey(world, project));
};

const getLegacySigningKey: Handler<Operations["getLegacySigningKey"]> = ({ params, world }) => {
  requireLegacyKeyOffered(world);
  const key = requireFound(legacyKeyOf(projectAt(world, params.ref)), "The legacy signing key is not set up");
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
function requireLegacyKeyOffered({ state }: World): void {
  if (!state.auth.legacySigningKeyOffered) throw new Refusal(404, "There is no legacy signing key any more");
}

export const signingKeyHandlers = {
  listSigningKeys,
  createSigningKey,
  getSigningKey,
  updateSigningKey,
  deleteSigningKey,
  createLegacySigningKey,
  getLegacySigningKey,
};

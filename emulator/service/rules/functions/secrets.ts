import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import { projectAt, settledProjectAt } from "../shared/project-at";
import { sha256Hex } from "../../world/derived-bytes";
import type { ProjectRecord } from "../../world/records/project";
import { Refusal } from "../../answers/refusal";

/** What functions are given by the service, listed from the first function on (service, Function secrets). */
const OWN = ["ANON_KEY", "DB_URL", "JWKS", "PUBLISHABLE_KEYS", "SECRET_KEYS", "SERVICE_ROLE_KEY", "URL"];

/** Values come back as their SHA-256 (service, Values that come back changed). */
const listSecrets: Handler<Operations["listSecrets"]> = ({ params, world }) => {
  const project = projectAt(world, params.ref);
  const hasOwn = isAsMeasured(world.state) && project.functions.size > 0;
  const own = (hasOwn ? OWN : []).map(
    (name) => [`SVC_${name}`, { value: `${name} of ${project.ref}`, updatedAt: project.createdAt }] as const,
  );
  return [...project.secrets, ...own]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, { value, updatedAt }]) => ({
      name,
      value: sha256Hex(value),
      updated_at: new Date(updatedAt).toISOString(),
    }));
};

/** Those of the service do not count (service, Function secrets). */
const MOST_SECRETS = 100;

/** Creates and overwrites in bulk (service, Function secrets). */
const createSecrets: Handler<Operations["createSecrets"]> = ({ params, body, world }) => {
  const project = settledProjectAt(world, params.ref);
  const names = new Set([...project.secrets.keys(), ...body.map(({ name }) => name)]);
  if (isAsMeasured(world.state) && names.size > MOST_SECRETS)
    throw new Refusal(400, `You can only store ${MOST_SECRETS} secrets per project at maximum.`);
  putSecrets(
    world,
    project,
    body.map(({ name, value }) => [name, value] as const),
  );
};

/** Unknown names are ignored. */
const deleteSecrets: Handler<Operations["deleteSecrets"]> = ({ params, body, world }) => {
  const project = settledProjectAt(world, params.ref);
  for (const name of body) project.secrets.delete(name);
};

export function putSecrets(
  world: World,
  project: ProjectRecord,
  values: readonly (readonly [name: string, value: string])[],
): void {
  for (const [name, value] of values) project.secrets.set(name, { value, updatedAt: world.clock.now() });
}

export const secretHandlers = { listSecrets, createSecrets, deleteSecrets };

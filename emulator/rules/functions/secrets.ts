import type { Operations } from "../../../spec/table";
import type { Handler } from "../../handler";
import type { World } from "../../world/world";
import { projectAt, settledProjectAt } from "../access";
import { sha256Hex } from "../derived-bytes";
import type { ProjectRecord } from "../records/project";

/** Values come back as their SHA-256 (service, Values that come back changed). */
const listSecrets: Handler<Operations["listSecrets"]> = ({ params, world }) =>
  [...projectAt(world, params.ref).secrets]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, { value, updatedAt }]) => ({
      name,
      value: sha256Hex(value),
      updated_at: new Date(updatedAt).toISOString(),
    }));

/** Creates and overwrites in bulk (service, Function secrets). */
const createSecrets: Handler<Operations["createSecrets"]> = ({ params, body, world }) => {
  const project = settledProjectAt(world, params.ref);
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

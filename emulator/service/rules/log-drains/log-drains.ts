import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import { Refusal } from "../../answers/refusal";
import type { LogDrainRecord, LogDrainsRecord } from "../../world/records/log-drains";
import type { Handler } from "../shared/handler";
import { planOf } from "../shared/plan";
import { projectAt } from "../shared/project-at";

type DrainView = OperationAnswer<Operations["createLogDrain"]>["data"];

const MASK = "********";

/** Whose value is a credential; an address may hold one, and is shown. */
const CREDENTIALS = [
  "access_key_id",
  "api_key",
  "api_token",
  "cipher_key",
  "client_key",
  "dsn",
  "headers",
  "password",
  "secret_access_key",
  "structured_data",
];

const listLogDrains: Handler<Operations["listLogDrains"]> = ({ world, params }) => {
  const { logDrains } = projectAt(world, params.ref);
  return { data: [...logDrains.drains.values()].map((drain) => viewDrain(logDrains, drain)) };
};

/** Unknown whether a second drain of the same name is refused: here it is made. */
const createLogDrain: Handler<Operations["createLogDrain"]> = ({ world, params, body }) => {
  const project = projectAt(world, params.ref);
  if (["free", "platform"].includes(planOf(world, project)))
    throw new Refusal(402, "This feature requires the Pro, Team, or Enterprise organization plan.");
  const { name, description, config, backend_type: backendType } = body.data.attributes;
  const drain: LogDrainRecord = {
    id: world.newId(),
    name,
    ...(description === undefined ? {} : { description }),
    backendType,
    config: { ...config },
  };
  project.logDrains.drains.set(drain.id, drain);
  return { data: viewDrain(project.logDrains, drain) };
};

/** Unknown what becomes of what is not sent: here an attribute stays as it is, and a configuration is replaced whole. */
const updateLogDrain: Handler<Operations["updateLogDrain"]> = ({ world, params, body }) => {
  const { logDrains } = projectAt(world, params.ref);
  const drain = drainAt(logDrains, params.id);
  const { name, description, config, backend_type: backendType } = body.data.attributes;
  drain.name = name ?? drain.name;
  if (description !== undefined) drain.description = description;
  drain.backendType = backendType;
  if (config !== undefined) drain.config = { ...config };
  return { data: viewDrain(logDrains, drain) };
};

const deleteLogDrain: Handler<Operations["deleteLogDrain"]> = ({ world, params }) => {
  const { logDrains } = projectAt(world, params.ref);
  logDrains.drains.delete(drainAt(logDrains, params.id).id);
};

function drainAt({ drains }: LogDrainsRecord, id: string): LogDrainRecord {
  const found = drains.get(id);
  if (found === undefined) throw new Refusal(404, "Log drain not found");
  return found;
}

function viewDrain({ credentialsShown }: LogDrainsRecord, drain: LogDrainRecord): DrainView {
  const { id, name, description, backendType, config } = drain;
  const shown = Object.entries(config).flatMap(([field, value]): [string, unknown][] => {
    if (credentialsShown === "plain" || !CREDENTIALS.includes(field)) return [[field, value]];
    return credentialsShown === "no" ? [] : [[field, maskValue(value)]];
  });
  return {
    type: "log_drain",
    id,
    attributes: {
      name,
      ...(description === undefined ? {} : { description }),
      // What was taken, without some of it: no field is required.
      config: Object.fromEntries(shown) as DrainView["attributes"]["config"],
      backend_type: backendType,
    },
  };
}

function maskValue(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return MASK;
  return Object.fromEntries(Object.keys(value).map((name) => [name, MASK]));
}

export const logDrainHandlers = { listLogDrains, createLogDrain, updateLogDrain, deleteLogDrain };

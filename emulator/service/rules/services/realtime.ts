import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import { projectAt, settledProjectAt } from "../shared/project-at";
import { sentFields } from "../shared/sent-fields";
import { serviceHealth } from "../shared/service-health";
import { Refusal } from "../../answers/refusal";

const getRealtimeConfig: Handler<Operations["getRealtimeConfig"]> = ({ params, world }) => ({
  ...projectAt(world, params.ref).realtime.config,
});

/** Merges (service, Realtime and storage). */
const updateRealtimeConfig: Handler<Operations["updateRealtimeConfig"]> = ({ params, body, world }) => {
  // Only here a suspension ends, so that must not be refused.
  const isSuspended = projectAt(world, params.ref).realtime.config.suspend === true;
  const { realtime } = settledProjectAt(world, params.ref, isSuspended ? "db" : "realtime");
  realtime.config = { ...realtime.config, ...sentFields(body) };
  // Who is connected is cut off.
  if (body.suspend === true) realtime.connections = 0;
};

/** Closes every connection; 404 where there is nothing that could have any (service, Errors). */
const shutDownRealtime: Handler<Operations["shutDownRealtime"]> = ({ params, world }) => {
  const project = projectAt(world, params.ref);
  const { realtime } = project;
  const { healthy, status, error } = serviceHealth(world, project, "realtime");
  if (!healthy) throw new Refusal(404, `Realtime is not running: ${error ?? status}`);
  realtime.connections = 0;
  realtime.shutDownAt = world.clock.now();
};

export const realtimeHandlers = { getRealtimeConfig, updateRealtimeConfig, shutDownRealtime };

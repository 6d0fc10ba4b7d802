import { z } from "zod";
import { defineFunction } from "../../define/function";
import { realtimeConfig } from "../../resources/services/realtime-config/realtime-config";
import { ofProject } from "../../lookup/missing-errors";
import { readConfiguration } from "../answers";
import { projectRef } from "../../define/shared-arguments";

const inputs = z.strictObject({ projectRef });

const { shape } = realtimeConfig.inputs;

const outputs = z.object({
  privateOnly: shape.privateOnly,
  suspend: shape.suspend,
  connectionPool: shape.connectionPool,
  maxConcurrentUsers: shape.maxConcurrentUsers,
  maxEventsPerSecond: shape.maxEventsPerSecond,
  maxBytesPerSecond: shape.maxBytesPerSecond,
  maxChannelsPerClient: shape.maxChannelsPerClient,
  maxJoinsPerSecond: shape.maxJoinsPerSecond,
  maxPresenceEventsPerSecond: shape.maxPresenceEventsPerSecond,
  maxPayloadSizeInKb: shape.maxPayloadSizeInKb,
  presenceEnabled: shape.presenceEnabled,
});

/** How realtime serves the clients of a project. */
export const getRealtimeConfig = defineFunction({
  name: "getRealtimeConfig",
  description: "Reads the realtime configuration of a project. What is not set there is absent.",
  inputs,
  outputs,
  problems: ofProject,
  run: (ctx, { projectRef: ref }) => readConfiguration(ctx, ref, realtimeConfig, outputs),
});

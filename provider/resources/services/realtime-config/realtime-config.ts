import { z } from "zod";
import { newerRealtimeConfigFields, updateRealtimeConfigBody } from "../../../../spec/operations/realtime";
import { openRange } from "../../../define/open-values";
import { realtimeProblems } from "../../../define/problems";
import { newerRealtimeSettings, newRealtimeConfig } from "../../../../spec/new-project";
import { defineSettings } from "../../../settings/settings";
import type { Api } from "../../../define/context";

type Answer = Awaited<ReturnType<Api["getRealtimeConfig"]>>;

function count(most: number, what: string) {
  return openRange({ least: 1, most }).describe(`${what}, from 1 to ${most}.`).optional();
}

/** How realtime serves the clients of a project. */
export const realtimeConfig = defineSettings({
  type: "RealtimeConfig",
  description:
    "The realtime configuration of a project. Only the settings you declare are managed; the others are left alone. Deleting the resource restores the earlier values.",
  settings: {
    privateOnly: z.boolean().describe("Whether clients may only join private channels.").optional(),
    connectionPool: count(100, "Number of connections to the database"),
    maxConcurrentUsers: count(50_000, "Maximum number of concurrent clients"),
    maxEventsPerSecond: count(50_000, "Maximum number of events per second"),
    maxBytesPerSecond: count(10_000_000, "Maximum data rate, in B per second"),
    maxChannelsPerClient: count(10_000, "Maximum number of channels per client"),
    maxJoinsPerSecond: count(5000, "Maximum number of joins of channels per second"),
    maxPresenceEventsPerSecond: count(5000, "Maximum number of presence events per second"),
    maxPayloadSizeInKb: count(10_000, "Maximum size of a message's payload, in kB"),
    suspend: z
      .boolean()
      .describe("Whether realtime is suspended. It then has no connections, and its service is not healthy.")
      .optional(),
    presenceEnabled: z
      .boolean()
      .describe("Whether clients can use presence in channels. Older services do not have this setting.")
      .optional(),
  },
  options: {},
  outputs: {},
  wireNames: {},
  body: updateRealtimeConfigBody,
  newer: newerRealtimeConfigFields,
  timeouts: { create: 600, update: 600, delete: 600 },
  // Where a write waits for a service that is suspended.
  problems: realtimeProblems,
  mode: "merge",
  newProject: [{ ...newRealtimeConfig, ...newerRealtimeSettings }],
  services: ["realtime"],
  opens: (from, _, name) => name === "privateOnly" && from === true,
  get: (ctx, ref) => ctx.api.getRealtimeConfig({ ref }),
  inProjectConfig: { pick: ({ realtime }): Answer | null | undefined => realtime, keptOutputs: [] },
  put: async (ctx, ref, body) => {
    await ctx.api.updateRealtimeConfig({ ref, body });
    return undefined;
  },
});

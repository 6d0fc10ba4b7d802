import { z } from "zod";
import { sslEnforcementRequest } from "../../../../spec/operations/ssl-enforcement";
import { waitForRestart, waitUntilQueriesAnswer } from "../../../waiting/project-health";
import { defineSettings } from "../../../settings/settings";
import type { Api } from "../../../define/context";

type Answer = Awaited<ReturnType<Api["getSslEnforcement"]>>;

function fromWire({ currentConfig, appliedSuccessfully }: Answer): object {
  return { ...currentConfig, appliedSuccessfully };
}

/** Whether a project's database refuses connections without SSL. */
export const sslEnforcement = defineSettings({
  type: "SslEnforcement",
  description:
    "SSL enforcement of a project's database: whether it accepts only encrypted connections. The provider waits until a change is applied. Deleting the resource restores the earlier value.",
  settings: {
    database: z.boolean().describe("Whether the database refuses connections without SSL."),
  },
  options: {},
  outputs: {
    appliedSuccessfully: z.boolean().describe("Whether the service has applied `database`."),
  },
  wireNames: {},
  body: sslEnforcementRequest.shape.requestedConfig,
  timeouts: { create: 600, update: 600, delete: 600 },
  mode: "replace",
  services: ["db"],
  get: async (ctx, ref) => fromWire(await ctx.api.getSslEnforcement({ ref })),
  put: async (ctx, ref, requestedConfig) =>
    fromWire(await ctx.api.updateSslEnforcement({ ref, body: { requestedConfig } })),
  // Usually applied at once; clients poll all the same (service, SSL enforcement).
  isInForce: ({ appliedSuccessfully }) => appliedSuccessfully !== false,
  opens: (_, to) => to === false,
  // Every switch restarts Postgres, and the project stays ACTIVE_HEALTHY meanwhile (service, SSL enforcement).
  settle: async (ctx, ref) => {
    await waitForRestart(ctx, ref);
    await waitUntilQueriesAnswer(ctx, ref);
  },
});

import { z } from "zod";
import { ownerExists } from "../../../lookup/owner";
import { defineProblem } from "../../../client/errors/problem";
import type { Context } from "../../../define/context";
import { onePerProject } from "../../../define/import-id";
import { defineResource } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { callWhenReady } from "../../../waiting/project-health";

const inputs = z.strictObject({ projectRef, ...everyResource });

const problems = {
  stayEnabled: defineProblem({
    says: "the database webhooks of {ref} stay enabled, because the API cannot disable them. The resource was only removed from Pulumi's state. {remedy}.",
    means: "Warning. Deleting the resource leaves the webhooks enabled.",
    remedy: "Delete unwanted webhooks in the service's console",
  }),
};

/** The webhooks of a project's database, which can be enabled and not disabled. */
export const databaseWebhooks = defineResource({
  type: "DatabaseWebhooks",
  description:
    "The webhooks of a project's database: the resource enables them. The API neither returns their state nor disables them. Therefore changes in the database are not drift, an import assumes that they are enabled, and deleting the resource leaves them enabled, with a warning. Enabling them twice is safe. A refresh only checks that the project or branch exists.",
  inputs,
  outputs: z.object({}),
  timeouts: { create: 300, update: 300, delete: 300 },
  isRepeatable: true,
  uniqueBy: [],
  importId: onePerProject("exactly"),
  problems,

  // No operation shows them (service, Login roles, read-only mode, webhooks).
  read: async (ctx, { id }) =>
    (await ownerExists(ctx, id)) ? { inputs: { projectRef: id }, outputs: {} } : undefined,

  async create(ctx, { projectRef: ref }) {
    await enableOnce(ctx, ref);
    return { id: ref };
  },

  // What is adopted is not known to be enabled.
  async settle(ctx, { id }) {
    await enableOnce(ctx, id);
    return { inputs: { projectRef: id }, outputs: {} };
  },

  delete(ctx, { id }) {
    ctx.warn(problems.stayEnabled.message({ ref: id }));
    return Promise.resolve();
  },
});

/** Once in a run, however often it is asked for; doing so again changes nothing. */
async function enableOnce(ctx: Context, ref: string): Promise<void> {
  await ctx.shared.list(`database-webhooks:${ref}`, () =>
    callWhenReady(ctx, ref, ["db"], () => ctx.api.enableWebhooks({ ref })),
  );
}

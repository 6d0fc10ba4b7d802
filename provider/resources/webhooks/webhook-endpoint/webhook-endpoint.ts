import { z } from "zod";
import { inProject } from "../../../define/import-id";
import { listInProject, UUID } from "../../../define/list";
import { requireProjectRef } from "../../../define/require-project-ref";
import { defineResource } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { deleteEndpoint } from "../shared/endpoint-calls";
import { endpointFields, endpointOutputs } from "../shared/endpoint-fields";
import { problems } from "../shared/endpoint-problems";
import {
  changeEndpoint,
  findEndpoints,
  listEndpoints,
  makeEndpoint,
  observeEndpoint,
  settleEndpoint,
} from "../shared/endpoint-steps";

const inputs = z.strictObject({ projectRef, ...endpointFields, ...everyResource });

/** An address to which the service sends events of a project. */
export const webhookEndpoint = defineResource({
  type: "WebhookEndpoint",
  description:
    "An address to which the service sends events of a project. For those of a whole organization, use `OrganizationWebhookEndpoint`. Some installations do not have this operation.",
  inputs,
  outputs: endpointOutputs,
  timeouts: { create: 300, update: 300, delete: 300 },
  importId: {
    ...inProject("endpointId", "the endpoint's page in the service's console"),
    alsoDeclares: ["description", "enabled"],
    leavesOut:
      "the import does not declare `customHeaders`. They stay on the endpoint; declare them to manage them.",
  },
  list: listInProject((ctx, ref) => listEndpoints(ctx, { ref }), UUID),
  problems,
  createsDuplicates: () => true,

  find: (ctx, declared) => findEndpoints(ctx, { ref: declared.projectRef }, declared),

  async read(ctx, target) {
    const ref = requireProjectRef(target.state);
    const observed = await observeEndpoint(ctx, { ref }, target);
    return observed && { ...observed, inputs: { ...observed.inputs, projectRef: ref } };
  },

  create: (ctx, declared) => makeEndpoint(ctx, { ref: declared.projectRef }, declared),

  settle: (ctx, target) => settleEndpoint(ctx, { ref: target.inputs.projectRef }, target),

  update: (ctx, change) => changeEndpoint(ctx, { ref: change.inputs.projectRef }, change),

  delete: (ctx, { id, state }) => deleteEndpoint(ctx, { ref: requireProjectRef(state) }, id),
});

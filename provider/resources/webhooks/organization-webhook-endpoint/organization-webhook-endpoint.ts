import { z } from "zod";
import { InvalidInputError } from "../../../client/errors/errors";
import { requireIdentifiers, UUID } from "../../../define/list";
import { parent, replaces } from "../../../define/markers";
import { defineResource } from "../../../define/resource";
import { organizationSlug } from "../../../define/shared-arguments";
import { everyResource } from "../../../define/shared-inputs";
import { deleteEndpoint } from "../shared/endpoint-calls";
import { endpointFields, endpointOutputs } from "../shared/endpoint-fields";
import { organizationProblems, problems } from "../shared/endpoint-problems";
import {
  changeEndpoint,
  findEndpoints,
  listEndpoints,
  makeEndpoint,
  observeEndpoint,
  settleEndpoint,
} from "../shared/endpoint-steps";

const inputs = z.strictObject({
  organizationSlug: parent(
    replaces(organizationSlug.describe("Slug of the organization. A change replaces the endpoint.")),
  ),
  ...endpointFields,
  ...everyResource,
});

/** An address to which the service sends events of an organization and its projects. */
export const organizationWebhookEndpoint = defineResource({
  type: "OrganizationWebhookEndpoint",
  description:
    "An address to which the service sends events of an organization and its projects. For those of one project, use `WebhookEndpoint`. Some installations do not have this operation.",
  inputs,
  outputs: endpointOutputs,
  timeouts: { create: 300, update: 300, delete: 300 },
  importId: {
    format: "<organizationSlug>/<endpointId>",
    whereFound: "the endpoint's page in the service's console",
    parse(importId) {
      const [slug = "", id = "", ...others] = importId.split("/");
      return slug === "" || id === "" || others.length > 0
        ? undefined
        : { id, inputs: { organizationSlug: slug } };
    },
    alsoDeclares: ["description", "enabled"],
    leavesOut:
      "the import does not declare `customHeaders`. They stay on the endpoint; declare them to manage them.",
  },
  list: {
    of: "organizationSlug",
    objects: async (ctx, slug) =>
      requireIdentifiers(ctx, await listEndpoints(ctx, { slug }), ({ id }) => id, UUID).map(
        ({ id, name }) => ({
          id: `${slug}/${id}`,
          name,
        }),
      ),
  },
  problems: { ...problems, ...organizationProblems },
  createsDuplicates: () => true,

  find: (ctx, declared) => findEndpoints(ctx, { slug: declared.organizationSlug }, declared),

  async read(ctx, target) {
    const slug = requireSlug(target.state);
    const observed = await observeEndpoint(ctx, { slug }, target);
    return observed && { ...observed, inputs: { ...observed.inputs, organizationSlug: slug } };
  },

  create: (ctx, declared) => makeEndpoint(ctx, { slug: declared.organizationSlug }, declared),

  settle: (ctx, target) => settleEndpoint(ctx, { slug: target.inputs.organizationSlug }, target),

  update: (ctx, change) => changeEndpoint(ctx, { slug: change.inputs.organizationSlug }, change),

  delete: (ctx, { id, state }) => deleteEndpoint(ctx, { slug: requireSlug(state) }, id),
});

function requireSlug(state: { readonly organizationSlug?: string | undefined }): string {
  if (state.organizationSlug !== undefined) return state.organizationSlug;
  throw new InvalidInputError("organizationSlug", "The state has no `organizationSlug`.");
}

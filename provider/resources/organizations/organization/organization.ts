import { z } from "zod";
import { ORGANIZATION_SLUG } from "../../../../spec/organization-slug";
import {
  ForbiddenError,
  InvalidInputError,
  isNotFound,
  ResponseSchemaError,
} from "../../../client/errors/errors";
import { replaceMessage } from "../../../client/errors/with-message";
import { defineProblem } from "../../../client/errors/problem";
import type { Api, Context } from "../../../define/context";
import { requireIdentifiers } from "../../../define/list";
import { formed, identifies, stable } from "../../../define/markers";
import { defineResource, type ObservedResource, type ResourceState } from "../../../define/resource";
import { everyResource } from "../../../define/shared-inputs";
import { poll } from "../../../waiting/poll";

const inputs = z.strictObject({
  name: identifies(
    formed(
      z
        .string()
        .max(256)
        .regex(/^\S(?:.*\S)?$/s),
      "at most 256 characters, of which the first and the last are no space",
      "Acme",
    ).describe(
      "Display name, at most 256 characters. A change is an error, because the API cannot rename an organization.",
    ),
  ),
  ...everyResource,
});

/** What an organization may use. */
export const organizationFeatures = {
  optInTags: z
    .array(z.string())
    .describe("Features that the organization has opted in to, such as `AI_LOG_GENERATOR_OPT_IN`."),
  allowedReleaseChannels: z
    .array(z.string())
    .describe("Release channels of Postgres images that its projects may use, such as `ga`."),
};

const outputs = z.object({
  slug: stable(z.string().describe("Slug of the organization. Equals the resource's `id`.")),
  plan: z.string().describe("Plan, such as `free` or `pro`. A new organization has `free`."),
  ...organizationFeatures,
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

/** An organization as the service shows it. */
type OrganizationRecord = Awaited<ReturnType<Api["getOrganization"]>>;

/** What an answer leaves out is as it was. */
function fromWire(
  slug: string,
  found: OrganizationRecord,
  known: ResourceState<Inputs, Outputs>,
): ObservedResource<Inputs, Outputs> {
  const { name, plan, opt_in_tags: optInTags, allowed_release_channels: allowedReleaseChannels } = found;
  return {
    inputs: { name: name ?? undefined },
    outputs: {
      slug,
      plan: plan ?? known.plan,
      optInTags: optInTags ?? known.optInTags,
      allowedReleaseChannels: allowedReleaseChannels ?? known.allowedReleaseChannels,
    },
  };
}

const problems = {
  cannotBeRenamed: defineProblem({
    says: 'the API cannot rename an organization: its name is "{present}". {remedy}.',
    means: "The declared `name` differs from the organization's name.",
    remedy:
      "Declare its current name. To rename it, use the service's console, then run `pulumi refresh` and declare the new name. For another organization, declare another resource",
  }),
  notFound: defineProblem({
    says: "The service answers 404 for the organization {slug}. This does not prove that it was deleted: the access token may be of an account that is not a member. It stays in Pulumi's state. {remedy}.",
    means:
      "The organization could not be read. No other answer of the service shows whether it still exists.",
    remedy:
      "Use a token of a member. If you deleted the organization, remove it from the state with `pulumi state delete '{urn}'`",
  }),
  stays: defineProblem({
    says: "the organization {slug} was not deleted, because the API cannot delete organizations. It was only removed from Pulumi's state. {remedy}.",
    means: "Warning. The resource was deleted, and the organization still exists.",
    remedy: "Delete it in the service's console",
  }),
};

/** An organization, to which projects belong. */
export const organization = defineResource({
  type: "Organization",
  description:
    "An organization, which owns projects. The API can neither rename nor delete an organization: a change of the name is an error, and deleting the resource leaves the organization on the service.",
  inputs,
  outputs,
  timeouts: { create: 300, update: 300, delete: 300 },
  idOutput: "slug",
  uniqueBy: ["name"],
  createsDuplicates: () => true,
  importId: {
    format: "<slug>",
    whereFound: "the address of the organization's pages",
    example: "acme",
    parse: (importId) => (ORGANIZATION_SLUG.test(importId) ? { id: importId, inputs: {} } : undefined),
  },
  list: {
    of: undefined,
    objects: async (ctx) =>
      requireIdentifiers(ctx, await ctx.api.listOrganizations({}), ({ slug }) => slug, ORGANIZATION_SLUG).map(
        ({ slug, name }) => ({ id: slug, name: name ?? "" }),
      ),
  },
  problems,

  check({ name }, _, before) {
    const present = before?.["name"];
    if (typeof present !== "string" || name === undefined || name === present) return {};
    return { failures: [{ path: "name", reason: problems.cannotBeRenamed.message({ present }) }] };
  },

  async find(ctx, { name }) {
    const found = await findOrganizationsByName(ctx, name);
    return found.map(({ slug }) => ({ id: slug, label: name }));
  },

  async read(ctx, { id, state }) {
    const answer = ctx.api.getOrganization({ slug: id });
    // Without outputs in state it is about to be imported or taken over.
    return fromWire(id, await (state.slug === undefined ? answer : requireFound(ctx, id, answer)), state);
  },

  async create(ctx, { name }) {
    const { slug } = await createOrganization(ctx, name);
    return { id: slug, outputs: { slug } };
  },

  settle: async (ctx, { id, state }) => fromWire(id, await readMade(ctx, id), state),

  // The service may have another name than the state, as after a rename in its console.
  update(_, { state }) {
    throw new InvalidInputError("name", problems.cannotBeRenamed.message({ present: state.name ?? "" }));
  },

  delete(ctx, { id }) {
    ctx.warn(problems.stays.message({ slug: id }));
    return Promise.resolve();
  },
});

/** Throws where the service does not show the organization: a token of another account gets the same answer. */
async function requireFound(
  { urn }: Context,
  slug: string,
  answer: Promise<OrganizationRecord>,
): Promise<OrganizationRecord> {
  return answer.catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    throw replaceMessage(error, problems.notFound.message({ slug, urn }));
  });
}

export type ListedOrganization = Awaited<ReturnType<Api["listOrganizations"]>>[number];

const LIST_KEY = "organizations";

/** The organizations that have exactly this name. */
async function findOrganizationsByName(ctx: Context, name: string): Promise<ListedOrganization[]> {
  const listed = await ctx.shared.list(LIST_KEY, () => ctx.api.listOrganizations({}));
  const unnamed = listed.find((each) => each.name == null);
  // Left out, it would look as if there were none of the name.
  if (unnamed !== undefined) throw createMissingNameError(unnamed.slug);
  return listed.filter((each) => each.name === name);
}

async function createOrganization(ctx: Context, name: string): Promise<ListedOrganization> {
  return ctx.api.createOrganization({ body: { name } }).finally(() => ctx.shared.forget(LIST_KEY));
}

/** Reads an organization that may have been made a moment ago. */
async function readMade(ctx: Context, slug: string): Promise<OrganizationRecord> {
  return poll<OrganizationRecord, OrganizationRecord>(ctx, {
    what: `the organization ${slug}`,
    look: () => ctx.api.getOrganization({ slug }),
    judge: (found) => ({ kind: "done", value: found }),
    mayPass: (error) => isNotFound(error) || error instanceof ForbiddenError,
  });
}

function createMissingNameError(slug: string): ResponseSchemaError {
  return new ResponseSchemaError(
    `listOrganizations failed: the answer has no name of the organization ${slug}. Run again.`,
    "listOrganizations",
    "name",
  );
}

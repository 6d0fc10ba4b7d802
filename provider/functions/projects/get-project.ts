import { z } from "zod";
import { InvalidInputError } from "../../client/errors/errors";
import { defineProblem } from "../../client/errors/problem";
import type { Context } from "../../define/context";
import { defineFunction } from "../../define/function";
import { anyRef } from "../../define/shared-inputs";
import { projectOutputs } from "../../resources/projects/project/fields";
import { lookUpProject } from "../../resources/projects/project/status";
import { fromWire } from "../../resources/projects/project/wire";
import { findProjectsByName } from "../../resources/projects/project/projects-of-name";
import { createNotFoundError, ofOrganization, explainMissingOrganization } from "../../lookup/missing-errors";
import { organizationSlug } from "../../define/shared-arguments";
import { toFoundShape, pickPresentFields, shareInFlight } from "../answers";

const inputs = z
  .strictObject({
    ref: anyRef.describe("Reference of the project, 20 lowercase letters.").optional(),
    organizationSlug: organizationSlug
      .describe("Slug of the organization to search for the project with this `name`.")
      .optional(),
    name: z
      .string()
      .min(1)
      .max(256)
      .describe("Exact display name of the project in the organization.")
      .optional(),
  })
  .superRefine(({ ref, organizationSlug: slug, name }, check) => {
    const fault = (path: string, message: string): void =>
      check.addIssue({ code: "custom", path: [path], message });
    if (ref !== undefined) {
      if (slug !== undefined) fault("organizationSlug", "conflicts with `ref`");
      if (name !== undefined) fault("name", "conflicts with `ref`");
    } else if (slug === undefined && name === undefined) {
      fault("ref", "give `ref`, or `organizationSlug` and `name`");
    } else if (slug === undefined) {
      fault("organizationSlug", "required with `name`");
    } else if (name === undefined) {
      fault("name", "required with `organizationSlug`");
    }
  });

const { organizationId, region, status, createdAt, database } = toFoundShape(projectOutputs.shape);

const outputs = z.object({
  ref: z.string().describe("Reference of the project, 20 lowercase letters."),
  name: z.string().describe("Display name.").optional(),
  organizationId,
  organizationSlug: z.string().describe("Slug of the organization that owns the project.").optional(),
  region,
  status,
  createdAt,
  database,
});

const problems = {
  noProject: defineProblem({
    says: "No project has the reference {ref}: {remedy}.",
    means: "The service answered 404: the project does not exist, or it is a branch.",
    remedy:
      "Check the reference, and that the project has not been deleted. To read a branch, use `getBranch`",
  }),
  ...ofOrganization,
  noneOfName: defineProblem({
    says: "The organization {slug} has no project named {name}: {remedy}.",
    means: "No project of the organization has exactly this name.",
    remedy: "Check `name`, which is case-sensitive, or declare `ref`",
  }),
  severalOfName: defineProblem({
    says: "The organization {slug} has {count} projects named {name}: {candidates}. {remedy}.",
    means: "Several projects have this name; the message lists them.",
    remedy: "Declare `ref` to choose one of them",
  }),
};

/** A project that exists. */
export const getProject = defineFunction({
  name: "getProject",
  description: "Reads one project, by its reference or by its exact name within an organization.",
  inputs,
  outputs,
  problems,
  async run(ctx, given) {
    const wanted = given.ref ?? (await findProjectRef(ctx, given.organizationSlug ?? "", given.name ?? ""));
    const record = await shareInFlight(ctx, `project:${wanted}`, () => lookUpProject(ctx, wanted));
    if (record === undefined) {
      throw createNotFoundError("getProject", problems.noProject.message({ ref: wanted }));
    }
    const { inputs: seen, outputs: others } = fromWire(record, {});
    return {
      ref: record.ref,
      ...pickPresentFields({
        name: seen.name,
        organizationId: others.organizationId,
        organizationSlug: seen.organizationSlug,
        region: others.region,
        status: others.status,
        createdAt: others.createdAt,
        // Its type is the resource's own, of which an answer may lack a field.
        database: others.database as z.output<typeof database>,
      }),
    };
  },
});

/** Exactly one project has the name, or nothing is guessed. */
async function findProjectRef(ctx: Context, slug: string, name: string): Promise<string> {
  const found = await explainMissingOrganization(
    slug,
    shareInFlight(ctx, `projects of name:${slug}:${name}`, () => findProjectsByName(ctx, slug, name)),
  );
  const [only, ...others] = found;
  if (only === undefined) {
    const message = problems.noneOfName.message({ slug, name: JSON.stringify(name) });
    throw createNotFoundError("listOrganizationProjects", message);
  }
  if (others.length > 0) {
    const candidates = found.map(({ id, label }) => `${id} (${label})`).join("; ");
    throw new InvalidInputError(
      "name",
      problems.severalOfName.message({ slug, count: found.length, name: JSON.stringify(name), candidates }),
    );
  }
  return only.id;
}

import { z } from "zod";
import { ORGANIZATION_SLUG } from "../../../spec/organization-slug";
import { ForbiddenError, isNotFound } from "../../client/errors/errors";
import { defineProblem } from "../../client/errors/problem";
import type { Context } from "../../define/context";
import { formed, parent, replaces, secret } from "../../define/markers";
import { anyRef } from "../../define/shared-inputs";
import { forgetProject } from "../../lookup/listed-project";
import { explainMissing } from "../../lookup/missing-errors";
import { writeOnce } from "../../waiting/write-once";
import { defineAction, createDoneState, everyAction, ranAt } from "../define-action";

const problems = {
  noToken: defineProblem({
    says: "The claim token of the project {ref} is not valid for the organization {slug}: {remedy}.",
    means:
      "The service answered 404: the token has expired, was used or replaced, or the organization does not exist.",
    remedy: "Get a new token from the project's owner, and check `organizationSlug`",
  }),
  otherProject: defineProblem({
    says: "The claim token is for the project {found}, not for {ref}. Nothing was claimed. {remedy}.",
    means: "The token belongs to another project than `projectRef` names.",
    remedy: "Correct `projectRef`, or use the token of that project",
  }),
  notValid: defineProblem({
    says: "The organization {slug} cannot claim the project {ref}: {errors}. {remedy}.",
    means: "The service's preview of the claim has errors.",
    remedy: "Resolve what it names and run again",
  }),
};

const inputs = z.strictObject({
  projectRef: parent(
    replaces(
      anyRef.describe(
        "Reference of the project that is claimed. A token for another project is refused before anything is claimed.",
      ),
    ),
  ),
  organizationSlug: replaces(
    formed(z.string().regex(ORGANIZATION_SLUG), "a slug of letters, digits, `_` and `-`", "acme").describe(
      "Slug of the organization that gets the project.",
    ),
  ),
  token: secret(replaces(z.string().min(1).describe("Claim token, as `ProjectClaimToken` returns it."))),
  ...everyAction,
});

/** Takes a project over into another organization. */
export const projectClaim = defineAction({
  type: "ProjectClaim",
  description:
    "Moves a project into another organization, with a claim token that its owner made. From then on the project follows that organization's plan and members. The service's preview is read first: its errors stop the action, its warnings are shown. Some installations do not have this operation.",
  inputs,
  outputs: z.object({ ranAt }),
  timeouts: { create: 300, update: 300, delete: 300 },
  target: "projectRef",
  // Where the organization has the project, nothing is claimed.
  isRepeatable: true,
  problems,

  async run(ctx, declared) {
    const { projectRef: ref, organizationSlug: slug } = declared;
    if (!(await isClaimed(ctx, ref, slug))) {
      await requireValidClaim(ctx, declared);
      await writeOnce(ctx, {
        send: async () => {
          await ctx.api.claimProject({ slug, token: declared.token });
          return true;
        },
        findResult: async () => ((await isClaimed(ctx, ref, slug)) ? true : undefined),
      });
    }
    forgetProject(ctx, ref);
    return createDoneState(ctx, {});
  },
});

/** A project of an organization to which the token does not reach is not claimed yet. */
async function isClaimed(ctx: Context, ref: string, slug: string): Promise<boolean> {
  try {
    return (await ctx.api.getProject({ ref })).organization_slug === slug;
  } catch (error) {
    if (error instanceof ForbiddenError || isNotFound(error)) return false;
    throw error;
  }
}

async function requireValidClaim(
  ctx: Context,
  { projectRef: ref, organizationSlug: slug, token }: z.output<typeof inputs>,
): Promise<void> {
  const claim = await explainMissing(
    ctx.api.getProjectClaim({ slug, token }),
    problems.noToken.message({ ref, slug }),
  );
  const found = claim.project?.ref ?? "without a reference";
  if (found !== ref) throw new Error(problems.otherProject.message({ ref, found }));
  const { valid, errors, warnings, info } = claim.preview ?? {};
  // An answer without its preview says nothing of what stands against the claim.
  if (valid !== true || (errors ?? []).length > 0) {
    const unsaid =
      valid === false ? "without a reason" : "the service's preview does not say that it is valid";
    throw new Error(problems.notValid.message({ ref, slug, errors: joinNotes(errors) || unsaid }));
  }
  if (joinNotes(warnings) !== "") ctx.warn(`The claim of ${ref}: ${joinNotes(warnings)}.`);
  if (joinNotes(info) !== "") ctx.info(`The claim of ${ref}: ${joinNotes(info)}.`);
}

function joinNotes(
  notes: readonly { readonly message?: string | null | undefined }[] | null | undefined,
): string {
  return (notes ?? []).flatMap(({ message }) => message ?? []).join("; ");
}

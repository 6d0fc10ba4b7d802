import { ApiError, ForbiddenError, isNotFound } from "../../../client/errors/errors";
import { quoteServiceMessage, replaceMessage } from "../../../client/errors/with-message";
import type { Context } from "../../../define/context";
import { readProjectOnce } from "../../../lookup/listed-project";
import { UnprovenAbsenceError, recordAbsence } from "../../../lookup/owner-state";
import { problems } from "./problems";
import { statusOf, type ProjectRecord } from "./status";

/** What the state has of a project. */
export interface RecordedProject {
  readonly organizationSlug?: string | undefined;
  readonly deletionProtection?: boolean | undefined;
  /** Whether its program has moved it, or was about to. */
  readonly isMoved?: boolean | undefined;
}

/**
 * The project, or undefined where the service proves that it is gone: by its answer for a removed project, or by a listing
 * of its organization without it. A 404 alone is also what a token of another account gets. Throws where nothing proves it.
 */
export async function findOrProveGone(
  ctx: Context,
  ref: string,
  recorded: RecordedProject,
): Promise<ProjectRecord | undefined> {
  const project = await readProject(ctx, ref);
  if (project !== "removed" && project !== "not found") return project;
  try {
    ctx.ledger.requireOwnService();
    if (project === "not found") await requireProof(ctx, ref, recorded);
  } catch (error) {
    recordAbsence(ctx, ref, "unproven");
    throw error;
  }
  recordAbsence(ctx, ref, "gone");
  return undefined;
}

async function readProject(ctx: Context, ref: string): Promise<ProjectRecord | "removed" | "not found"> {
  try {
    const project = await readProjectOnce(ctx, ref);
    return statusOf(project) === "REMOVED" ? "removed" : project;
  } catch (error) {
    if (isNotFound(error)) return error.status === 400 ? "removed" : "not found";
    if (!(error instanceof ForbiddenError)) throw error;
    recordAbsence(ctx, ref, "unproven");
    throw replaceMessage(
      error,
      problems.forbidden.message({ ref, said: quoteServiceMessage(error), urn: ctx.urn }),
    );
  }
}

async function requireProof(
  ctx: Context,
  ref: string,
  { organizationSlug: slug, deletionProtection, isMoved }: RecordedProject,
): Promise<void> {
  const { urn } = ctx;
  if (isMoved === true) throw new UnprovenAbsenceError(problems.movedOutOfSight.message({ ref, urn }));
  // A protected one may have been moved to an organization that the token does not see.
  const isProtected = deletionProtection ?? ctx.ledger.isAdopted;
  if (isProtected) throw new UnprovenAbsenceError(problems.protectedNotFound.message({ ref, urn }));
  if (slug === undefined)
    throw new UnprovenAbsenceError(
      problems.notFound.message({ ref, why: "the state does not name its organization", urn }),
    );
  const listed = await ctx.api.listOrganizationProjects({ slug }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || ![401, 403, 404].includes(error.status)) throw error;
    const why = `the projects of the organization ${slug} cannot be listed${quoteServiceMessage(error)}`;
    throw new UnprovenAbsenceError(problems.notFound.message({ ref, why, urn }));
  });
  const found = listed.find((each) => each.ref === ref);
  if (found === undefined || found.status === "REMOVED") return;
  throw new UnprovenAbsenceError(
    problems.notFound.message({ ref, why: `the organization ${slug} lists it`, urn }),
  );
}

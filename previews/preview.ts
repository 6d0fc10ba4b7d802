import {
  previewName,
  explainNotPreview,
  type PreviewKey,
  type PreviewPurpose,
  type BranchFacts,
} from "../provider/resources/branches/shared/preview-identity";

/** Where previews are, and what their names begin with. */
export interface Previews {
  /** Reference of the project that the branches are made from. */
  readonly project: string;
  /** Web address of the repository, as `https://forge.example.com/acme/shop`. */
  readonly repository: string;
  readonly prefix: string;
}

/** The preview of a pull request: what its branch and its stack have to be made for. */
export interface Preview extends Omit<PreviewPurpose, "gitBranch"> {
  /** Undefined where it is not known: then it is whichever they were made from. */
  readonly gitBranch: string | undefined;
}

/** Something that has the name of a preview, and is something else. */
export class NotThePreviewError extends Error {}

export function toPreviewKey({ project, repository }: Previews): PreviewKey {
  return { repository, parentRef: project };
}

export function identifyPreview(of: Previews, pullRequest: number, gitBranch: string | undefined): Preview {
  const name = previewName(of.prefix, pullRequest, toPreviewKey(of));
  return { name, parentRef: of.project, pullRequest, gitBranch };
}

/** Throws where a branch, or the record of one in a state, is not that preview. */
export function requirePreview(
  what: string,
  told: BranchFacts,
  preview: Preview,
  { consequence = "Nothing was changed.", remedy = adviseRemedy(told, preview) } = {},
): void {
  const why = explainOtherPreview(told, preview);
  if (why === undefined) return;
  throw new NotThePreviewError(
    `${what} is not the preview of pull request ${preview.pullRequest}: ${why}. ${consequence} ${remedy}`,
  );
}

/** Every preview is made from a Git branch, also where it is not known which one. */
function explainOtherPreview(told: BranchFacts, preview: Preview): string | undefined {
  const { gitBranch = told.gitBranch } = preview;
  return (
    explainNotPreview(told, { ...preview, gitBranch }) ??
    (gitBranch === undefined ? "it was created from no Git branch" : undefined)
  );
}

/** A pull request has one Git branch, unless that was renamed: what is of the former one is then removed by its name. */
function adviseRemedy({ gitBranch, ...told }: BranchFacts, preview: Preview): string {
  const isOther = explainOtherPreview({ ...told, gitBranch: preview.gitBranch }, preview) !== undefined;
  return isOther || gitBranch === undefined
    ? "If nobody needs it, remove it by hand."
    : `If that Git branch was renamed, ${adviseRemoval(preview, gitBranch, "the folder of the program")}. Then run the job again. Otherwise, if nobody needs it, remove it by hand.`;
}

/** How somebody removes the stack and the branch by hand: no code of others runs by it. */
export function adviseRemoval(
  { parentRef, pullRequest }: Preview,
  gitBranch: string | undefined,
  folder: string,
): string {
  const shown = gitBranch !== undefined && /^[\w./-]+$/.test(gitBranch) ? gitBranch : "<its Git branch>";
  return `run \`management-previews remove --project ${parentRef} --number ${pullRequest} --git-branch ${shown} --stack-pattern '{name}'\` in ${folder}, with --repository, and with --prefix and another --stack-pattern if the job has them`;
}

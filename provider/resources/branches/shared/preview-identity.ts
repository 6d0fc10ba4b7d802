import { z } from "zod";
import type { Api } from "../../../define/context";
import { formed } from "../../../define/markers";
import { sha256 } from "../../../core/sha256";

/** What the names of previews begin with, before the number of the pull request. */
export const DEFAULT_PREFIX = "pr-";

/** What makes a preview another one: two of the same number are apart by repository and by project. */
export interface PreviewKey {
  /** Web address of the repository, as `https://forge.example.com/acme/shop`. */
  readonly repository: string;
  /** Reference of the project that the branch is made from. */
  readonly parentRef: string;
}

/** What a branch, or the record of one in a state, has to be made for. */
export interface PreviewPurpose {
  readonly name: string;
  readonly parentRef: string;
  readonly pullRequest: number;
  readonly gitBranch: string | undefined;
}

/** What is known of a branch; what is not known is undefined. */
export interface BranchFacts {
  readonly ref: string | undefined;
  readonly name: string | undefined;
  readonly parentRef: string | undefined;
  readonly isDefault: boolean | undefined;
  readonly persistent: boolean | undefined;
  readonly gitBranch: string | undefined;
  /** The service knows it where its own integration made the branch. */
  readonly pullRequest: number | undefined;
}

/** What the service lists of a branch. */
export function toBranchFacts(branch: Awaited<ReturnType<Api["listBranches"]>>[number]): BranchFacts {
  return {
    ref: branch.project_ref,
    name: branch.name ?? undefined,
    parentRef: branch.parent_project_ref ?? undefined,
    isDefault: branch.is_default ?? undefined,
    persistent: branch.persistent ?? undefined,
    gitBranch: branch.git_branch ?? undefined,
    pullRequest: branch.pr_number ?? undefined,
  };
}

/** A repository's web address; a scheme, a slash or `.git` at its end and capitals make no difference. */
export const repositoryAddress = formed(
  z
    .string()
    .max(400)
    .regex(/^(?:https?:\/\/)?[\w.-]+(?::\d+)?(?:\/[\w.~-]+)+\/?$/),
  "the web address of a repository",
  "https://forge.example.com/acme/shop",
);

/** Without a digit at its end, which would be taken for one of the number; short enough for the name of a stack. */
export const namePrefix = formed(
  z
    .string()
    .max(40)
    .regex(/^[A-Za-z0-9._-]*[A-Za-z._-]$/),
  "letters, digits, `.`, `_` and `-`, not ending with a digit",
  DEFAULT_PREFIX,
);

const SLUG_LENGTH = 24;
const DIGEST_LENGTH = 10;

/** The name of a preview, which its branch and its stack have: `pr-7-acme-shop-0a1b2c3d4e`. */
export function previewName(prefix: string, pullRequest: number, key: PreviewKey): string {
  return `${prefix}${pullRequest}-${formatSuffix(key)}`;
}

/** The number of the pull request in the name of a preview; undefined where the name is none of that repository and project. */
export function parsePreviewName(name: string, prefix: string, key: PreviewKey): number | undefined {
  const suffix = `-${formatSuffix(key)}`;
  if (!name.startsWith(prefix) || !name.endsWith(suffix)) return undefined;
  const number = name.slice(prefix.length, -suffix.length);
  return /^[1-9]\d{0,14}$/.test(number) ? Number(number) : undefined;
}

/**
 * Why a branch is not the preview that it is named as; undefined where it is. The component, `Branch` and every removal
 * ask this: what is not known is not taken for harmless.
 */
export function explainNotPreview(told: BranchFacts, purpose: PreviewPurpose): string | undefined {
  const { ref, name, parentRef, isDefault, persistent, gitBranch, pullRequest } = told;
  if (ref === undefined || ref === "") return "the service does not return the branch's reference";
  if (ref === purpose.parentRef) return "it is the project itself";
  if (parentRef !== purpose.parentRef) {
    return `it was created from ${parentRef ?? "an unknown project"}, not from ${purpose.parentRef}`;
  }
  if (name !== purpose.name) return `its name is ${name ?? "unknown"}, not ${purpose.name}`;
  if (isDefault !== false) return "it is the default branch, or the service does not say whether it is";
  if (persistent !== false) return "it is persistent, or the service does not say whether it is";
  if (pullRequest !== undefined && pullRequest !== purpose.pullRequest)
    return `it belongs to pull request ${pullRequest}`;
  if (gitBranch === purpose.gitBranch) return undefined;
  return `it was created from ${formatGitBranch(gitBranch)}, not from ${formatGitBranch(purpose.gitBranch)}`;
}

function formatGitBranch(gitBranch: string | undefined): string {
  return gitBranch === undefined ? "no Git branch" : `the Git branch "${gitBranch}"`;
}

/** Readable by the repository's own name, and apart by the digest of all of its address and of the project. */
function formatSuffix({ repository, parentRef }: PreviewKey): string {
  const [, ...path] = normalizeRepository(repository).split("/");
  const slug = path
    .join("-")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(-SLUG_LENGTH)
    .replaceAll(/^-+|-+$/g, "");
  const digest = sha256(`${normalizeRepository(repository)} ${parentRef}`).slice(0, DIGEST_LENGTH);
  return `${slug}-${digest}`;
}

function normalizeRepository(repository: string): string {
  return repository
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\/+$/, "")
    .replace(/\.git$/, "");
}

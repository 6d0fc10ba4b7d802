import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_PREFIX, previewName } from "../../previews";
import type { Emulator } from "../../emulator";
import { findPackageRoot } from "./package-root";

/** Where the copies come from. */
export const REPOSITORY = "https://forge.example.com/acme/shop";

/** The name of the branch and the stack of a pull request. */
export function previewNamed(project: string, pullRequest: number, repository = REPOSITORY): string {
  return previewName(DEFAULT_PREFIX, pullRequest, { repository, parentRef: project });
}

/** The configuration that the program of the example takes. */
export function previewConfig(
  project: string,
  pullRequest: number,
  gitBranch: string,
): Record<string, string> {
  return {
    parentProjectRef: project,
    repository: REPOSITORY,
    pullRequest: String(pullRequest),
    gitBranch,
  };
}

/** A copy of examples/preview-environments in which the program finds the packages of this repository. */
export interface PreviewRepository {
  readonly folder: string;
  readonly projectDir: string;
  dispose(): void;
}

export function copyPreviewRepository(
  folder = mkdtempSync(join(tmpdir(), "management-previews-")),
): PreviewRepository {
  const root = findPackageRoot();
  cpSync(join(root, "examples", "preview-environments"), folder, {
    recursive: true,
    filter: (path) => !path.includes(join("preview", "node_modules")),
  });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  return {
    folder,
    projectDir: join(folder, "preview"),
    dispose: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** The project that previews are made of, ready; returns its reference. */
export function makeParentProject({ control }: Emulator): string {
  const { ref } = control.call("createProject", {
    body: { name: "shop", organization_slug: "acme", db_pass: "password-of-production" },
  });
  control.advance(600_000);
  return ref;
}

/** The names of a project's branches but the default one. */
export function listPreviews({ control }: Emulator, project: string): string[] {
  return control
    .call("listBranches", { ref: project })
    .flatMap(({ name, is_default: isDefault }) => (isDefault ? [] : [name]));
}

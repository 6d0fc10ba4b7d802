import { mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

/** Makes a compiled SDK resolvable by its package name from `folder` and below; returns the link. */
export function linkNodejsSdk(packageFolder: string, folder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
  if (typeof manifest !== "object" || manifest === null || !("name" in manifest))
    throw new Error(`${packageFolder} has a package.json without a name`);
  const link = join(folder, "node_modules", String(manifest.name));
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { recursive: true, force: true });
  symlinkSync(packageFolder, link, process.platform === "win32" ? "junction" : "dir");
  return link;
}

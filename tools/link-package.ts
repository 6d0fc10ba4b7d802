import { lstatSync, mkdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { findPackageRoot } from "./engine/package-root";

/**
 * Makes this repository resolvable as `pulumi-management` from inside itself: code that the engine
 * evaluates from a string has no file name, so Node's self-reference does not work for it.
 */
export function linkPackage(root: string = findPackageRoot()): void {
  const link = join(root, "node_modules", "pulumi-management");
  if (pointsTo(link, root)) return;
  rmSync(link, { recursive: true, force: true });
  mkdirSync(join(root, "node_modules"), { recursive: true });
  try {
    symlinkSync(root, link, process.platform === "win32" ? "junction" : "dir");
  } catch (error) {
    // Another process may have made the same link in between.
    if (!pointsTo(link, root)) throw error;
  }
}

function pointsTo(link: string, target: string): boolean {
  try {
    return lstatSync(link).isSymbolicLink() && realpathSync(link) === realpathSync(target);
  } catch {
    return false;
  }
}

if (require.main === module) linkPackage();

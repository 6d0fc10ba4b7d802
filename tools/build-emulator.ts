import { copyFileSync, cpSync, mkdirSync, rmSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { EXTENSION_PACKAGES } from "../emulator/postgres/sql/platform/extensions";
import { findPackageRoot } from "./engine/package-root";

/** What is compiled and the package needs: it keeps its place below `dist`, as modules import each other by it. */
const COMPILED = ["emulator", "spec", "provider/core"];

/** What a database of a new project has. */
const PLATFORM = "postgres/sql/platform";

/** What the emulator reads as it is, from the folders of its sources. */
const READ = ["desk/page/public", PLATFORM];

/** Makes `emulator/dist`, everything that the package `management-emulator` has besides its manifest. */
function buildEmulator(root: string): void {
  const folder = join(root, "emulator", "dist");
  rmSync(folder, { recursive: true, force: true });
  for (const path of COMPILED) copyWithout(".json", join(root, "dist", path), join(folder, path));
  for (const path of READ) copyWithout(".ts", join(root, "emulator", path), join(folder, "emulator", path));
  copyExtensions(join(folder, "emulator", PLATFORM, "archives"));
}

function copyWithout(extension: string, from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (source) => extname(source) !== extension });
}

/**
 * Puts the extensions that come in packages of their own beside the compiled emulator: the packages name other versions of the
 * database than the one they run with, and a user's package manager would install those too.
 */
function copyExtensions(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, file] of Object.entries(EXTENSION_PACKAGES)) {
    const dist = dirname(require.resolve(name));
    copyFileSync(join(dist, file), join(folder, file));
    copyFileSync(join(dist, "..", "LICENSE"), join(folder, `${file}.LICENSE`));
  }
}

if (require.main === module) buildEmulator(findPackageRoot());

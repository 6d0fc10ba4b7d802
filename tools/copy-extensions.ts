import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { EXTENSION_PACKAGES } from "../emulator/sql/platform/extensions";
import { findPackageRoot } from "./engine/package-root";

/**
 * Puts the extensions that come in packages of their own beside the compiled emulator: the packages name other versions of the
 * database than the one they run with, and a user's package manager would install those too.
 */
const folder = join(findPackageRoot(), "dist", "emulator", "sql", "platform", "archives");
mkdirSync(folder, { recursive: true });
for (const [name, file] of Object.entries(EXTENSION_PACKAGES)) {
  const dist = dirname(require.resolve(name));
  copyFileSync(join(dist, file), join(folder, file));
  copyFileSync(join(dist, "..", "LICENSE"), join(folder, `${file}.LICENSE`));
}

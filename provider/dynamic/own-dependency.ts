import { createRequire } from "node:module";
import { join } from "node:path";

const MODULE = "pulumi-management/dynamic";

/** A program may change it before it makes a resource; the engine's process begins here. */
const programFolder = process.cwd();

let isFound = false;

/**
 * Fails where the process in which the engine runs the resources would not find this package: it looks for it by its name,
 * from the program's folder. Other starts than that by Pulumi's command, as by Jest, have nothing to do with that folder.
 */
export function requireOwnDependency(): void {
  if (isFound || !isRunByPulumi()) return;
  try {
    createRequire(join(programFolder, "index.js")).resolve(MODULE);
    isFound = true;
  } catch (error) {
    if (Reflect.get(Object(error), "code") !== "MODULE_NOT_FOUND") throw error;
    throw new Error(
      `Cannot find module '${MODULE}' from the program's folder ${programFolder}. ` +
        "Pulumi runs the resources of this package in a process of its own, which loads it by that name from that folder. " +
        "The program itself has it from elsewhere: as a dependency of another package, by an alias or in a bundle. " +
        "Add pulumi-management to the program's own package.json, under this name, and install it.",
      { cause: error },
    );
  }
}

function isRunByPulumi(): boolean {
  return /[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]run(?:$|[\\/])/.test(process.argv[1] ?? "");
}

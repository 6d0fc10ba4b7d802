import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findPackageRoot } from "../../../tools/engine/package-root";

/** Puts the files into a program's folder that the examples of the reference take from there. */
export function addExampleFiles(folder: string): void {
  for (const name of ["functions", "migrations"]) {
    cpSync(join(findPackageRoot(), "examples/quickstart", name), join(folder, name), { recursive: true });
  }
  writeFileSync(join(folder, "functions.env"), "QUEUE_NAME=orders\n");
  writeFileSync(join(folder, "seed.sql"), "insert into products (name) values ('tea');\n");
}

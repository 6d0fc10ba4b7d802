import { findPackageRoot } from "../engine/package-root";
import { runCoverage } from "./run";

runCoverage(findPackageRoot(), process.argv.slice(2), console.log).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  },
);

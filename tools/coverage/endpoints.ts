import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findPackageRoot } from "../engine/package-root";

/** Every endpoint that the API's documents list, as `GET /v1/projects`. */
export function documentedEndpoints(): readonly string[] {
  const facts = readFileSync(join(findPackageRoot(), "spec", "facts.json"), "utf8");
  return Object.keys(JSON.parse(facts) as Readonly<Record<string, unknown>>);
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Names } from "../../../spec/names/names";
import { readNames } from "../../../spec/names/read-names";

/** A names file with a word of its own for every placeholder, all of them invented. */
export const ACME_FILE = join(__dirname, "acme.json");

export const acmeText = readFileSync(ACME_FILE, "utf8");

export const acme: Names = readNames(ACME_FILE);

#!/usr/bin/env node
import "../provider/node-version";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { printable } from "../provider/client/redaction/printed-text";
import { HELPER_BEGINNING, writeNamesHelper } from "./names-helper";

const [namesFile, helperFile, ...further] = process.argv.slice(2);
try {
  if (namesFile === undefined || helperFile === undefined || further.length > 0) {
    throw new Error("Usage: management-names <names file> <helper.ts>");
  }
  const helper = writeNamesHelper(namesFile);
  if (existsSync(helperFile) && !readFileSync(helperFile, "utf8").startsWith(HELPER_BEGINNING)) {
    throw new Error(
      `${helperFile} exists, and management-names did not write it. Choose another name for the helper.`,
    );
  }
  writeFileSync(helperFile, helper);
  process.stdout.write(printable(`${helperFile} is written.\n`));
} catch (error) {
  process.stderr.write(printable(`${error instanceof Error ? error.message : String(error)}\n`));
  process.exitCode = 1;
}

#!/usr/bin/env node
import "../provider/node-version";
import { printable } from "../spec/printed-text";
import { writeHelperFile } from "./names-helper";

const [namesFile, helperFile, ...further] = process.argv.slice(2);
try {
  if (namesFile === undefined || helperFile === undefined || further.length > 0) {
    throw new Error("Usage: management-names <names file> <helper.ts>");
  }
  writeHelperFile(namesFile, helperFile);
  process.stdout.write(printable(`${helperFile} is written.\n`));
} catch (error) {
  process.stderr.write(printable(`${error instanceof Error ? error.message : String(error)}\n`));
  process.exitCode = 1;
}

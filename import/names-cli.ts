#!/usr/bin/env node
import "../provider/core/node-version";
import { toPrintable } from "../spec/printed-text";
import { writeHelperFile } from "./names-helper";

const [namesFile, helperFile, ...further] = process.argv.slice(2);
try {
  if (namesFile === undefined || helperFile === undefined || further.length > 0) {
    throw new Error("Usage: management-names <names file> <helper.ts>");
  }
  writeHelperFile(namesFile, helperFile);
  process.stdout.write(toPrintable(`${helperFile} is written.\n`));
} catch (error) {
  process.stderr.write(toPrintable(`${error instanceof Error ? error.message : String(error)}\n`));
  process.exitCode = 1;
}

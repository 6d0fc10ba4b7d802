#!/usr/bin/env node
import "../provider/core/node-version";
import { Command } from "commander";
import { toPrintable } from "../spec/printed-text";
import { writeOwnFile } from "../provider/core/own-file";
import { VERSION } from "../provider/core/version.generated";
import { renderTimeline } from "./timeline";
import { readTrace, summarize } from "./trace";

new Command("management-trace")
  .description(
    "Shows the calls of a run and how long they took, from the file that MANAGEMENT_TRACE named in that run.",
  )
  .argument("<file>", "file with the trace")
  .option("--html <file>", "writes a timeline of all requests as one HTML page")
  .helpOption("-h, --help", "prints this text")
  .version(VERSION, "--version", "prints the version")
  .action((file: string, { html }: { readonly html?: string }) => {
    try {
      const requests = readTrace(file);
      const summary = summarize(requests);
      if (html !== undefined) writeOwnFile(html, renderTimeline(requests, summary));
      process.stdout.write(toPrintable(summary));
    } catch (error) {
      process.stderr.write(toPrintable(`management-trace: ${(error as Error).message}\n`));
      process.exitCode = 1;
    }
  })
  .parse();

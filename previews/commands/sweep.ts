import type { Command } from "commander";
import { sweepText } from "../report";
import { sweepPreviews } from "../sweep";
import {
  commentAuthor,
  forgeOf,
  interruptibly,
  prefix,
  previewsOf,
  project,
  recordedRunsOf,
  repository,
  stackPattern,
  stacksOf,
  topic,
  unlockAfter,
  unlockEnded,
  wholeNumber,
  workDir,
  type Perform,
} from "./command-line";

export function addSweep(program: Command, perform: Perform): void {
  program
    .command("sweep")
    .description(
      "removes previews whose pull request is closed or merged, and those older than the hours in their function secret PREVIEW_TTL_HOURS; " +
        "without --yes it only lists them. A preview stays if the state of its pull request is unknown",
    )
    .addOption(project)
    .addOption(repository)
    .addOption(prefix)
    .option("--yes", "removes them")
    .option("--json", "prints JSON")
    .option("--max <number>", "maximum number of previews to remove", wholeNumber("max"), 10)
    .option("--grace-minutes <number>", "keeps branches that are younger", wholeNumber("grace-minutes"), 60)
    .addOption(stackPattern("no stack"))
    .addOption(workDir)
    .addOption(unlockAfter)
    .addOption(unlockEnded)
    .addOption(commentAuthor)
    .addOption(topic)
    .action((options) =>
      perform((streams) =>
        interruptibly(streams, async (client, signal) => {
          const of = previewsOf(options);
          const forge = forgeOf(of);
          const runs = recordedRunsOf(options, streams);
          let young = 0;
          const swept = await sweepPreviews({
            ...{ client, signal, max: options.max, yes: options.yes === true, ...of },
            graceMs: options.graceMinutes * 60_000,
            pullRequest: (number) => forge.pullRequest(number),
            onYoung: (count) => void (young = count),
            warn: (line) => streams.err(`${line}\n`),
            ...stacksOf({ ...options, runs }, streams, signal),
          });
          const text = sweepText(swept, { young, graceMinutes: options.graceMinutes });
          streams.out(options.json ? `${JSON.stringify(swept, undefined, 2)}\n` : text);
          return swept.some(({ outcome }) => outcome === "failed" || outcome === "not known") ? 1 : 0;
        }),
      ),
    );
}

import { readFileSync } from "node:fs";
import { Option, type Command } from "commander";
import { describeRecreation, readCiEvent } from "../ci/event";
import { formatFailureComment, formatSuccessComment } from "../comment";
import { ForgeUnavailableError } from "../forge/forge";
import { createForge } from "../forge/from-environment";
import { redactSecrets } from "../redaction";
import { parseRunRecords, addRunRecords } from "../run-records";
import { readRunReport } from "../run-report";
import { PreviewsCommandError, commentAuthor, optionalNumber, topic, type Perform } from "./command-line";
import { readTextFile } from "../../spec/regular-file";

export function addComment(program: Command, perform: Perform): void {
  program
    .command("comment")
    .description(
      "creates or updates its comment on a pull request; comments of other authors stay as they are",
    )
    .addOption(optionalNumber)
    .option("--merged-commit <hash>", "in place of --number, a commit that the pull request brought")
    .addOption(topic)
    .addOption(new Option("--file <file>", "the comment's text").default("-", "standard input"))
    .option("--report <file>", "what `run --report` wrote")
    .option(
      "--failed",
      "reports that the preview failed and keeps the rest of the comment; --file is not read. In a job, of its own pull request and commit, unless it only removes",
    )
    .option("--commit <hash>", "with --failed, the commit of the preview")
    .option("--run-url <address>", "with --failed, where the log is")
    .option("--only-existing", "does nothing if it has no comment yet")
    .addOption(commentAuthor)
    .action(({ file, commentAuthor: author, failed, commit, runUrl, onlyExisting, ...options }) =>
      perform(async ({ err }) => {
        const isOfTheJob =
          failed === true && options.number === undefined && options.mergedCommit === undefined;
        const event = isOfTheJob ? readCiEvent(process.env) : undefined;
        if (isOfTheJob && event?.number === undefined) {
          err("This job is of no pull request: no comment was written.\n");
          return 0;
        }
        // What a removal left, the next sweep removes.
        if (event !== undefined && event.kind !== "push" && event.kind !== "recreate") {
          err("This job makes no preview: no comment was written.\n");
          return 0;
        }
        const pullRequest = event?.number ?? options.number;
        if ((pullRequest === undefined) === (options.mergedCommit === undefined)) {
          throw new PreviewsCommandError("comment takes --number or --merged-commit, and not both");
        }
        const failure = {
          ...{ commit: commit ?? event?.commit, runUrl: runUrl ?? event?.runUrl },
          howToRecreate: describeRecreation(process.env),
        };
        const report = options.report === undefined ? undefined : readRunReport(options.report);
        const text = failed === true ? "" : file === "-" ? readFileSync(0, "utf8") : readTextFile(file);
        const forge = createForge(process.env, { commentAuthor: author });
        try {
          const number = pullRequest ?? (await forge.pullRequestOf(options.mergedCommit ?? ""));
          if (number === undefined) {
            err(
              `No pull request brought the commit ${options.mergedCommit ?? ""}: no comment was written.\n`,
            );
            return 0;
          }
          const write = (before: string | undefined): string | undefined => {
            if (onlyExisting === true && before === undefined) return undefined;
            // What does not say how the preview is, as that it was removed, is not kept.
            const now =
              onlyExisting === true
                ? redactSecrets(text)
                : failed === true
                  ? formatFailureComment({ report, ...failure }, before)
                  : formatSuccessComment(forge.inOwnWords(text), report);
            return addRunRecords(now, parseRunRecords(before));
          };
          await forge.comment(number, write, options.topic);
        } catch (error) {
          // What the comment tells of is done: the job does not fail for want of it.
          if (!(error instanceof ForgeUnavailableError)) throw error;
          err(`Warning: the comment was not written. ${error.message}\n`);
        }
        return 0;
      }),
    );
}

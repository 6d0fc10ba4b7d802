import { readFileSync } from "node:fs";
import { Option, type Command } from "commander";
import { failureComment, successComment } from "../comment";
import { ForgeUnavailableError } from "../forge/forge";
import { forgeFromEnvironment } from "../forge/from-environment";
import { redacted } from "../redaction";
import { readRunReport } from "../run-report";
import { number, type Perform } from "./command-line";

export function addComment(program: Command, perform: Perform): void {
  program
    .command("comment")
    .description(
      "creates or updates its comment on a pull request; comments of other authors stay as they are",
    )
    .addOption(number)
    .addOption(new Option("--file <file>", "the comment's text").default("-", "standard input"))
    .option("--report <file>", "what `run --report` wrote")
    .option(
      "--failed",
      "reports that the preview failed and keeps the rest of the comment; --file is not read",
    )
    .option("--commit <hash>", "with --failed, the commit of the preview")
    .option("--run-url <address>", "with --failed, where the log is")
    .option("--only-existing", "does nothing if it has no comment yet")
    .option(
      "--comment-author <login>",
      "on GitHub, the user of GITHUB_TOKEN (default: github-actions[bot], the user of a job's token)",
    )
    .action(({ file, commentAuthor, failed, commit, runUrl, onlyExisting, ...options }) =>
      perform(async ({ err }) => {
        const report = options.report === undefined ? undefined : readRunReport(options.report);
        const text = failed === true ? "" : readFileSync(file === "-" ? 0 : file, "utf8");
        const forge = forgeFromEnvironment(process.env, { commentAuthor });
        try {
          await forge.comment(options.number, (before) => {
            if (onlyExisting === true && before === undefined) return undefined;
            // What does not say how the preview is, as that it was removed, is not kept.
            if (onlyExisting === true) return redacted(text);
            return failed === true
              ? failureComment({ report, commit, runUrl }, before)
              : successComment(text, report);
          });
        } catch (error) {
          // What the comment tells of is done: the job does not fail for want of it.
          if (!(error instanceof ForgeUnavailableError)) throw error;
          err(`Warning: the comment was not written. ${error.message}\n`);
        }
        return 0;
      }),
    );
}

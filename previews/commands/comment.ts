import { readFileSync } from "node:fs";
import { Option, type Command } from "commander";
import { forgeFromEnvironment } from "../forge/from-environment";
import { redacted } from "../redaction";
import { number, type Perform } from "./command-line";

export function addComment(program: Command, perform: Perform): void {
  program
    .command("comment")
    .description("writes the one comment that it has on a pull request; one of another author is left alone")
    .addOption(number)
    .addOption(new Option("--file <file>", "the comment's text").default("-", "standard input"))
    .option(
      "--comment-author <login>",
      "on GitHub, whose GITHUB_TOKEN is (default: github-actions[bot], whose that of a job is)",
    )
    .action(({ file, commentAuthor, ...options }) =>
      perform(async () => {
        const text = readFileSync(file === "-" ? 0 : file, "utf8");
        await forgeFromEnvironment(process.env, { commentAuthor }).comment(options.number, redacted(text));
        return 0;
      }),
    );
}

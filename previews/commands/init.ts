import { Option, type Command } from "commander";
import { writeFiles } from "../init/init";
import { afterInit } from "../init/next-steps";
import { CommandLineError, isReference, type Perform } from "./command-line";

export function addInit(program: Command, perform: Perform): void {
  program
    .command("init")
    .description(
      "writes the program and the workflows for previews into a repository, and prints what to set and what the token can do",
    )
    .option("--parent <ref>", "project to branch from; not production")
    .addOption(
      new Option(
        "--forge <name>",
        "forge of the repository (default: taken from the folder's Git remote)",
      ).choices(["github", "gitlab"] as const),
    )
    .addOption(new Option("--dir <folder>", "the repository").default(".", "this one"))
    .option("--force", "overwrites existing files that differ")
    .action(({ parent, forge, dir, force }) =>
      perform(({ out }) => {
        // Not left to the library: it would say neither what it is for nor that it must not be production.
        if (parent === undefined || !isReference(parent)) {
          throw new CommandLineError(
            "init needs --parent, the reference of the project to branch from, twenty lower-case letters. " +
              "The token for previews can change everything in that project: choose one that is not production",
          );
        }
        out(
          afterInit(
            writeFiles({ dir, force: force === true, ...(forge !== undefined && { forge }) }),
            parent,
          ),
        );
        return 0;
      }),
    );
}

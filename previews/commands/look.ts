import type { Command } from "commander";
import { forgeFromEnvironment } from "../forge/from-environment";
import { number } from "./options";
import type { Perform } from "./perform";

export function addLook(program: Command, perform: Perform): void {
  program
    .command("look")
    .description(
      "prints what became of a pull request: closed, superseded (open, with another last commit) or current",
    )
    .addOption(number)
    .option("--commit <hash>", "the commit that has to be its last one")
    .action((options) =>
      perform(async ({ out }) => {
        const now = await forgeFromEnvironment(process.env).pullRequest(options.number);
        const isLast = options.commit === undefined || options.commit === now.commit;
        out(`${!now.isOpen ? "closed" : isLast ? "current" : "superseded"}\n`);
        return 0;
      }),
    );
}

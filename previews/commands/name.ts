import type { Command } from "commander";
import { identifyPreview } from "../preview";
import { previewsOf } from "./of-job";
import { number, prefix, project, repository } from "./options";
import type { Perform } from "./perform";

export function addName(program: Command, perform: Perform): void {
  program
    .command("name")
    .description("prints the name of the preview of a pull request")
    .addOption(project)
    .addOption(repository)
    .addOption(prefix)
    .addOption(number)
    .action((options) =>
      perform(({ out }) => {
        out(`${identifyPreview(previewsOf(options), options.number, "").name}\n`);
        return 0;
      }),
    );
}

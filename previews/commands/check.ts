import type { Command } from "commander";
import { checkToken } from "../check";
import { project } from "./options";
import { withClient, type Perform } from "./perform";

export function addCheck(program: Command, perform: Perform): void {
  program
    .command("check")
    .description("says which reads of the project succeed with the token")
    .addOption(project)
    .action((options) =>
      perform((streams) => withClient((client) => checkToken(client, options.project, streams))),
    );
}

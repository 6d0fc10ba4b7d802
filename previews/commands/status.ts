import type { Command } from "commander";
import { repositoryFromEnvironment } from "../forge/from-environment";
import { statusText } from "../report";
import { previewStatus } from "../status";
import { forgeOf, previewsOf } from "./of-job";
import { prefix, project, repository } from "./options";
import { withClient, type Perform } from "./perform";

export function addStatus(program: Command, perform: Perform): void {
  program
    .command("status")
    .description("lists all previews")
    .addOption(project)
    .addOption(repository)
    .addOption(prefix)
    .option("--json", "prints JSON")
    .action((options) =>
      perform(({ out }) =>
        withClient(async (client) => {
          const of = previewsOf(options);
          // Outside of a job of the forge previews are shown without it.
          const forge = repositoryFromEnvironment(process.env) === undefined ? undefined : forgeOf(of);
          const asked = forge && { pullRequest: (asked: number) => forge.pullRequest(asked) };
          const previews = await previewStatus({ client, ...of, ...asked });
          out(options.json ? `${JSON.stringify(previews, undefined, 2)}\n` : statusText(previews));
          return 0;
        }),
      ),
    );
}

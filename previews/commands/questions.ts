import type { Command } from "commander";
import { createForge, findRepositoryAddress } from "../forge/from-environment";
import { identifyPreview } from "../preview";
import { formatStatus } from "../report";
import { previewStatus } from "../status";
import {
  PreviewsCommandError,
  createOwnForge,
  number,
  optionalNumber,
  prefix,
  toPreviews,
  project,
  repository,
  useClient,
  type Perform,
} from "./command-line";

// The commands that change nothing.

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
        out(`${identifyPreview(toPreviews(options), options.number, "").name}\n`);
        return 0;
      }),
    );
}

export function addLook(program: Command, perform: Perform): void {
  program
    .command("look")
    .description(
      "prints the state of a pull request: closed, superseded (open, with a newer commit) or current",
    )
    .addOption(optionalNumber)
    .option("--git-branch <name>", "in place of --number, a branch: superseded or current")
    .option("--commit <hash>", "commit that is current if it is the last one")
    .action((options) =>
      perform(async ({ out }) => {
        const { number, gitBranch, commit } = options;
        if ((number === undefined) === (gitBranch === undefined)) {
          throw new PreviewsCommandError("look takes --number or --git-branch, and not both");
        }
        // A forge that knows none gives an empty one as well.
        if (commit === "") throw new PreviewsCommandError("--commit takes the commit of the job; got none");
        const forge = createForge(process.env);
        const now =
          number === undefined
            ? { isOpen: true, commit: await forge.lastCommit(gitBranch ?? "") }
            : await forge.pullRequest(number);
        const isLast = commit === undefined || commit === now.commit;
        out(`${!now.isOpen ? "closed" : isLast ? "current" : "superseded"}\n`);
        return 0;
      }),
    );
}

export function addCheck(program: Command, perform: Perform): void {
  program
    .command("check")
    .description(
      "checks which reads of the project the token allows, and what of the jobs' variables and secrets the forge lacks",
    )
    .addOption(project)
    .action((options) =>
      perform(async (streams) => {
        // oxlint-disable-next-line typescript/no-require-imports, typescript/no-unsafe-assignment -- it loads the table of all operations
        const { checkToken }: typeof import("../check") = require("../check");
        // The repository's address is no question here.
        const { GITHUB_REPOSITORY: repository, CI_PROJECT_ID: id } = process.env;
        const isKnown = [repository, id].some((each) => (each ?? "") !== "");
        const forge = isKnown ? createForge(process.env) : undefined;
        return useClient((client) => checkToken(client, options.project, streams, forge));
      }),
    );
}

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
        useClient(async (client) => {
          const of = toPreviews(options);
          // Outside of a job of the forge previews are shown without it.
          const forge = findRepositoryAddress(process.env) === undefined ? undefined : createOwnForge(of);
          const asked = forge && { pullRequest: (asked: number) => forge.pullRequest(asked) };
          const previews = await previewStatus({ client, ...of, ...asked });
          out(options.json ? `${JSON.stringify(previews, undefined, 2)}\n` : formatStatus(previews));
          return 0;
        }),
      ),
    );
}

import type { Command } from "commander";
import { ForgeError } from "../forge/forge";
import { identifyPreview, type Previews } from "../preview";
import { emptyPreview, removePreview } from "../removal";
import {
  allowPackage,
  commentAuthor,
  createOwnForge,
  runWithClient,
  number,
  prefix,
  toPreviews,
  project,
  createRecordedRuns,
  repository,
  createStackPattern,
  createStacks,
  topic,
  unlockAfter,
  unlockEnded,
  runRecorded,
  workDir,
  type Perform,
} from "./command-line";

export function addRemove(program: Command, perform: Perform): void {
  program
    .command("remove")
    .description(
      "removes the preview of a pull request: its stack and its branch. Those of another project, Git branch or pull request stay",
    )
    .addOption(project)
    .addOption(repository)
    .addOption(prefix)
    .addOption(number)
    .option("--git-branch <name>", "Git branch of the pull request (default: taken from the forge)")
    .addOption(createStackPattern("no stack"))
    .addOption(workDir)
    .addOption(unlockAfter)
    .addOption(unlockEnded)
    .addOption(allowPackage)
    .addOption(commentAuthor)
    .addOption(topic)
    .action((options) =>
      perform((streams) =>
        runWithClient(streams, async (client, signal) => {
          const of = toPreviews(options);
          const gitBranch = options.gitBranch ?? (await readGitBranch(of, options.number));
          const runs = createRecordedRuns(options, streams);
          const removal = await runRecorded(runs?.(options.number), { createsComment: false }, async () => ({
            wasLocked: false,
            result: await removePreview(
              { client, signal, ...of, ...createStacks({ ...options, runs }, streams, signal) },
              { pullRequest: options.number, gitBranch },
            ),
          }));
          streams.out(`${identifyPreview(of, options.number, gitBranch).name}: ${removal}\n`);
          if (options.stackPattern === undefined)
            streams.err(
              "Only the branch was looked for; a stack of that name stays: to remove it as well, pass --stack-pattern, such as '{name}', in the folder of the program.\n",
            );
          return 0;
        }),
      ),
    );
}

export function addReset(program: Command, perform: Perform): void {
  program
    .command("reset")
    .description(
      "removes the branch of a preview with all its data and keeps the stack; the next run of the job recreates the preview",
    )
    .addOption(project)
    .addOption(repository)
    .addOption(prefix)
    .addOption(number)
    .option("--git-branch <name>", "Git branch of the pull request (default: taken from the forge)")
    .addOption(createStackPattern("no stack"))
    .addOption(workDir)
    .addOption(unlockAfter)
    .addOption(unlockEnded)
    .addOption(allowPackage)
    .addOption(commentAuthor)
    .addOption(topic)
    .action((options) =>
      perform((streams) =>
        runWithClient(streams, async (client, signal) => {
          const of = toPreviews(options);
          const gitBranch = options.gitBranch ?? (await readGitBranch(of, options.number));
          const runs = createRecordedRuns(options, streams);
          const isThere = await emptyPreview(
            { client, signal, ...of, ...createStacks({ ...options, runs }, streams, signal) },
            { pullRequest: options.number, gitBranch },
          );
          const said = isThere
            ? "removed. To recreate the preview, run the job again or push."
            : "there is none, so nothing was removed. Its name follows from --project, --repository, --prefix and --number: compare them with the job.";
          streams.out(`${identifyPreview(of, options.number, gitBranch).name}: ${said}\n`);
          return 0;
        }),
      ),
    );
}

async function readGitBranch(of: Previews, pullRequest: number): Promise<string> {
  try {
    return (await createOwnForge(of).pullRequest(pullRequest)).gitBranch;
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    throw new ForgeError(
      `The Git branch of pull request ${pullRequest} is not known: ${error.message} Nothing was removed. Pass it with --git-branch.`,
    );
  }
}

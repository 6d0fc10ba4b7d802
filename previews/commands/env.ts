import { Option, type Command } from "commander";
import { writeEnvFile } from "../env-file";
import { readStack } from "../stacks";
import { createPrefixParser, workDir, type Perform } from "./command-line";

export function addEnv(program: Command, perform: Perform): void {
  program
    .command("env")
    .description(
      "writes the outputs of a preview's stack into a .env file, for a front end: apiUrl as API_URL. Nobody but you can read the file",
    )
    .requiredOption("--stack <name>", "name of the stack, as PULUMI_STACK of the job")
    .option("--secrets", "writes the secret outputs as well, such as the connection")
    .addOption(
      new Option("--prefix <text>", "what names of variables begin with, as VITE_; those of secrets never do")
        .default("")
        .argParser(createPrefixParser("prefix")),
    )
    .option("--file <file>", "the file; one that this command did not write is not overwritten", ".env")
    .addOption(workDir)
    .action((options) =>
      perform(async ({ out, err }) => {
        const { stack, secrets = false, file, prefix } = options;
        const state = await readStack(stack, { workDir: options.workDir }, { withSecrets: secrets });
        if (state === undefined)
          throw new Error(
            `There is no stack ${stack} of the program in ${options.workDir === "." ? "this folder" : options.workDir}, where \`pulumi\` is logged in. Nothing was written. Pass a name that \`pulumi stack ls\` prints there, or the folder with --work-dir.`,
          );
        out(
          `${writeEnvFile({ file, prefix, withSecrets: secrets }, state.outputs, (line) => err(`${line}\n`))}\n`,
        );
        return 0;
      }),
    );
}

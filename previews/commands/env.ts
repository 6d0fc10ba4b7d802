import { lstatSync, readFileSync } from "node:fs";
import { Option, type Command } from "commander";
import { ENV_HEADER, formatEnv } from "../env-text";
import { writeOwnFile } from "../../provider/define/own-file";
import { holdsJobSecret } from "../job-secrets";
import { readOutputs, SUMMARY } from "../stacks";
import { variablePrefix, workDir, type Perform } from "./command-line";

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
        .argParser(variablePrefix("prefix")),
    )
    .option("--file <file>", "the file; one that this command did not write is not overwritten", ".env")
    .addOption(workDir)
    .action((options) =>
      perform(async ({ out, err }) => {
        const outputs = await readOutputs(
          options.stack,
          { workDir: options.workDir },
          options.secrets === true,
        );
        const shown = outputs.filter(({ name }) => name !== SUMMARY);
        const refused = shown.filter(
          ({ name, isSecret, value }) => !isSecret && holdsJobSecret({ [name]: value }, process.env),
        );
        const written = shown.filter((output) => !refused.includes(output));
        const { text, leftOut: unreadable } = formatEnv(written, options.prefix);
        const leftOut = [
          ...refused.map(({ name }) => `The output ${name} is left out: it has a secret of the job in it.`),
          ...unreadable,
        ];
        for (const line of leftOut) err(`Warning: ${line}\n`);
        writeEnvFile(options.file, text);
        out(`${options.file}: ${shown.length - leftOut.length} variables\n`);
        return 0;
      }),
    );
}

/** In place of the former one as a whole. */
function writeEnvFile(file: string, text: string): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found !== undefined && !(found.isFile() && readFileSync(file, "utf8").startsWith(ENV_HEADER))) {
    throw new Error(
      `${file} exists, and this command did not write it. Pass another --file, or move it away.`,
    );
  }
  writeOwnFile(file, text);
}

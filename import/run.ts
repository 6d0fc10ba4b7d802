import { Command, CommanderError, Option } from "commander";
import { toPrintable } from "../spec/printed-text";
import { addAllOwnWords } from "../provider/client/redaction/own-sentences";
import { Redactor } from "../provider/client/redaction/redactor";
import { listSecretSettings } from "../provider/process/config";
import { VERSION } from "../provider/core/version.generated";
import { LANGUAGES } from "./documents";
import { importProject } from "./import-project";
import { isReference } from "../spec/project-reference";

interface CommandOutput {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Runs a command line; the exit code. */
export async function run(
  args: readonly string[],
  { out, err }: CommandOutput,
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  addAllOwnWords();
  const redactor = new Redactor();
  for (const secret of listSecretSettings(env, () => undefined)) redactor.add(secret);
  const print = (text: string): string => toPrintable(redactor.redact(text));
  let code = 0;
  const program = new Command("management-import")
    .description(
      "Writes an existing project as a Pulumi program, imports its objects into a stack, and runs a preview, which must show no change. " +
        "It only reads from the service, so a token with read permissions is enough.\n\n" +
        "The service's address and token come from MANAGEMENT_BASE_URL and MANAGEMENT_ACCESS_TOKEN.",
    )
    .requiredOption("--project <ref>", "project to import: twenty lower-case letters")
    .requiredOption("--out <folder>", "folder of the program; existing files stay, new ones are added")
    .addOption(
      new Option("--language <name>", "language of the program")
        .choices(LANGUAGES)
        .default("typescript" as const),
    )
    .addOption(new Option("--stack <name>", "stack to import the objects into").default("production"))
    .option(
      "--secrets-provider <provider>",
      "what encrypts the secrets of a new stack, as `pulumi stack init` takes it; by default the backend's own, for files a passphrase",
    )
    .option("--no-import", "only writes the program and import.json")
    .option("--full", "declares everything that can be read, not only what differs from a new project")
    .option("--choose <type...>", "uses this type where several manage the same objects")
    .option(
      "--dotenv <file>",
      "file with values of function secrets; they are compared with the service's hashes",
    )
    .option("--functions <folder>", "folder of the team's edge functions")
    .option("--migrations <folder>", "folder of the team's migrations")
    .addOption(
      new Option(
        "--from-terraform <state>",
        "takes over what this state of Terraform manages of the project, and nothing else",
      ).conflicts("fromConfig"),
    )
    .option("--from-config <file>", "declares the settings of this configuration file of the platform's tool")
    .addOption(
      new Option("--generation <number>", "generation of the tool that wrote the configuration file").choices(
        ["2", "3"] as const,
      ),
    )
    .helpOption("-h, --help", "prints this text")
    .version(VERSION, "--version", "prints the version")
    .addHelpText(
      "after",
      `
Exit codes: 0 the program is written and a preview of it shows no change; 1
something failed, or the preview shows a change; 2 the command line is wrong.`,
    )
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: (text) => err(print(text)) })
    .action(async ({ project, import: imports, full, choose = [], ...options }) => {
      if (!isReference(project)) {
        throw new CommanderError(
          2,
          "option",
          "--project takes the reference of a project: twenty lower-case letters",
        );
      }
      if (options.generation !== undefined && options.fromConfig === undefined) {
        throw new CommanderError(
          2,
          "option",
          "--generation says how to read a configuration file: pass it with --from-config, or omit it",
        );
      }
      code = await importProject({
        ...options,
        projectRef: project,
        imports,
        full: full === true,
        choose,
        env,
        say: (line) => out(`${print(line)}\n`),
      });
    });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.code === "option") err(`management-import: ${error.message}\n`);
      return error.exitCode === 0 ? 0 : 2;
    }
    err(`management-import: ${print(error instanceof Error ? error.message : String(error))}\n`);
    return 1;
  }
}

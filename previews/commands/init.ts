import { Option, type Command } from "commander";
import { writeFiles } from "../init/init";
import { toAppName, findBackendVariables } from "../init/workflow-options";
import { formatPreviewSteps, formatProductionSteps } from "../init/next-steps";
import { InvalidInputError } from "../../provider/client/errors/errors";
import { parseBaseUrl } from "../../provider/client/transport/base-url";
import { PreviewsCommandError, createPrefixParser, type Perform } from "./command-line";
import { isReference } from "../../spec/project-reference";

export function addInit(program: Command, perform: Perform): void {
  program
    .command("init")
    .description(
      "writes the program and the workflows for previews into a repository, and prints what to set and what the token can do. " +
        "With --production, writes the workflows for the main branch instead",
    )
    .option("--parent <ref>", "project to branch from; not production")
    .option(
      "--production",
      "writes the workflows that bring the main branch to staging and, after an approval, to production, and check for drift",
    )
    .addOption(
      new Option("--program <folder>", "with --production, folder of the program in the repository")
        .default("infrastructure")
        .argParser(createFolderParser("program")),
    )
    .option(
      "--by-hand",
      "with --production on GitHub, changes production only where somebody starts the workflow, for an environment without reviewers",
    )
    .addOption(
      new Option(
        "--base-url <address>",
        "with --production, address of the service, which then stands in the workflows, where each change of it is reviewed (default: a variable of the forge has it)",
      ).argParser(parseAddress),
    )
    .addOption(
      new Option(
        "--forge <name>",
        "forge of the repository (default: taken from the folder's Git remote); other, for another CI, writes the program alone",
      ).choices(["github", "gitlab", "other"] as const),
    )
    .addOption(new Option("--dir <folder>", "the repository").default(".", "this one"))
    .addOption(
      new Option(
        "--app <folder>",
        "folder of one of several applications of the repository, as apps/shop",
      ).argParser(parseApplication),
    )
    .addOption(
      new Option(
        "--backend <address>",
        "where the states are, as s3://states; the jobs then get the variables by which it is reached",
      ).argParser(parseBackend),
    )
    .addOption(
      new Option(
        "--migrations <folder>",
        "folder of the migrations, as seen from the repository or the folder of --app (default: the only one)",
      ).argParser(createSourceParser("migrations")),
    )
    .addOption(
      new Option("--functions <folder>", "folder of the edge functions, likewise").argParser(
        createSourceParser("functions"),
      ),
    )
    .addOption(
      new Option("--seed <file...>", "seeds, in their order, likewise").argParser(
        (file: string, before: readonly string[] | undefined) => [
          ...(before ?? []),
          createSourceParser("seed")(file),
        ],
      ),
    )
    .option("--no-drafts", "makes no preview of a draft")
    .addOption(
      new Option(
        "--dotenv <file>",
        "writes the outputs of the preview into this file for a front end, as seen from the repository or the folder of --app",
      ).argParser(createFolderParser("dotenv")),
    )
    .addOption(
      new Option("--env-prefix <text>", "with --dotenv, what the names of its variables begin with")
        .default("VITE_")
        .argParser(createPrefixParser("env-prefix")),
    )
    .option("--force", "overwrites existing files that differ")
    .action(
      ({
        parent,
        forge,
        dir,
        force,
        production,
        program: programDir,
        migrations,
        functions,
        seed,
        ...workflow
      }) =>
        perform(({ out }) => {
          const { app, baseUrl, dotenv, drafts, byHand } = workflow;
          if (forge === "other" && (production === true || dotenv !== undefined || !drafts)) {
            throw new PreviewsCommandError(
              "init takes --production, --dotenv and --no-drafts for the workflows of GitHub and GitLab, and not with --forge other",
            );
          }
          const common = { dir, force: force === true, workflow, ...(forge !== undefined && { forge }) };
          if (production === true) {
            const isOfPreviews = [parent, app, dotenv, migrations, functions, seed].some(
              (each) => each !== undefined,
            );
            if (isOfPreviews || !drafts) {
              throw new PreviewsCommandError(
                "init takes --parent, --app, --dotenv, --migrations, --functions, --seed and --no-drafts for previews alone, and not with --production",
              );
            }
            out(
              formatProductionSteps(
                writeFiles({ ...common, kind: "production", programDir }),
                programDir,
                workflow,
              ),
            );
            return 0;
          }
          if (byHand === true) throw new PreviewsCommandError("init takes --by-hand with --production alone");
          if (baseUrl !== undefined)
            throw new PreviewsCommandError("init takes --base-url with --production alone");
          // Not left to the library: it would say neither what it is for nor that it must not be production.
          if (parent === undefined || !isReference(parent)) {
            throw new PreviewsCommandError(
              "init needs --parent, the reference of the project to branch from, twenty lower-case letters. " +
                "The token for previews can change everything in that project: choose one that is not production",
            );
          }
          const sources = {
            ...(migrations !== undefined && { migrations }),
            ...(functions !== undefined && { functions }),
            ...(seed !== undefined && { seeds: seed }),
          };
          const written = writeFiles({ ...common, workflow: { ...workflow, parent }, sources });
          out(formatPreviewSteps(written, parent, workflow));
          return 0;
        }),
    );
}

function parseApplication(text: string): string {
  const folder = trimPath(text);
  const isPlain = isWithin(folder) && folder.split("/").every((part) => APPLICATION_PART.test(part));
  if (!isPlain) throw new PreviewsCommandError(explainPath("app", "letters, digits, spaces", text));
  if (/^[a-z][a-z0-9-]{0,29}$/.test(toAppName(folder))) return folder;
  throw new PreviewsCommandError(
    `--app takes a folder whose name has a letter from a to z, and at most 30 characters; got ${JSON.stringify(text)}`,
  );
}

/** Of signs that mean nothing to a workflow or a shell. */
function parseAddress(text: string): string {
  const takes = "--base-url takes the address of the service, as https://api.example.com:";
  try {
    const address = parseBaseUrl(text);
    if (/^https:\/\/[a-z0-9.-]+(?::\d+)?(?:\/[\w.~-]+)*$/.test(address)) return address;
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw new PreviewsCommandError(`${takes} ${error.message}`);
  }
  throw new PreviewsCommandError(
    `${takes} https, and a host and a path of letters, digits, \`.\`, \`_\`, \`~\` and \`-\``,
  );
}

function parseBackend(text: string): string {
  if (findBackendVariables(text) === undefined) {
    throw new PreviewsCommandError(
      "--backend takes the address of a state backend, as s3://states, gs://, azblob://, postgres:// or https://",
    );
  }
  if (new URL(text).password === "") return text;
  throw new PreviewsCommandError(
    "--backend takes an address without a password: set that one as a secret alone",
  );
}

/** What a workflow can name in one line, and a shell as one word: letters of every language, and single spaces within. */
const APPLICATION_PART = /^[\p{L}\p{M}\p{N}_.-]+(?: [\p{L}\p{M}\p{N}_.-]+)*$/u;

function createFolderParser(option: string) {
  return (text: string): string => {
    const folder = trimPath(text);
    if (isWithin(folder) && /^[\w./-]+$/.test(folder)) return folder;
    throw new PreviewsCommandError(explainPath(option, "letters, digits", text));
  };
}

/** A path that is for the program alone, which has it as a text. */
function createSourceParser(option: string) {
  return (text: string): string => {
    const path = trimPath(text);
    if (isWithin(path)) return path;
    throw new PreviewsCommandError(
      `--${option} takes a path in the repository, as apps/shop; got ${JSON.stringify(text)}`,
    );
  };
}

function trimPath(text: string): string {
  return text.replace(/^\.\//, "").replace(/\/+$/, "");
}

/** Whether a path leads down, without detours. */
function isWithin(path: string): boolean {
  return path.split("/").every((part) => !["", ".", ".."].includes(part));
}

function explainPath(option: string, signs: string, text: string): string {
  return `--${option} takes a path in the repository, as apps/shop: ${signs}, \`.\`, \`_\` and \`-\`; got ${JSON.stringify(text)}`;
}

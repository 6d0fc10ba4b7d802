import { Command as CommandLine } from "commander";
import { EmulatorCommandError, parse, some } from "./parse-command";

/** Text to print, or a world to move into a file or out of it. */
export type WorldCommand =
  | { readonly kind: "print"; readonly text: string }
  | { readonly kind: "export"; readonly file: string; readonly from: ExportSource }
  | { readonly kind: "import"; readonly file: string; readonly dataFolder: string };

/** A running emulator, or the folder of one that does not run. */
export type ExportSource =
  { readonly url: string } | { readonly dataFolder: string; readonly names: string | undefined };

export function readExport(args: readonly string[]): WorldCommand {
  const line = new CommandLine("management-emulator export")
    .description(
      "Writes all that an emulator has into one file: of the running one at --url or MANAGEMENT_BASE_URL, or in a data folder. " +
        "The file holds secrets, and only you can read it. A running one with --control-token takes the token from " +
        "MANAGEMENT_EMULATOR_CONTROL_TOKEN.",
    )
    .argument("<file>", "the file to write")
    .option("--url <url>", "base URL of a running emulator", some("--url takes a URL"))
    .option("--data <folder>", "data folder of an emulator that does not run", some("--data takes a folder"))
    .option("--names <file>", "the names file of the emulator in --data", some("--names takes a file"))
    .helpOption("--help", "prints this text");
  const text = parse(line, args);
  if (text !== undefined) return { kind: "print", text };
  const file = fileOf(line.args);
  const { data, names, url } = line.opts();
  if (data !== undefined && url !== undefined)
    throw new EmulatorCommandError("export takes --url or --data, not both");
  if (data !== undefined) return { kind: "export", file, from: { dataFolder: data, names } };
  const running = url ?? process.env["MANAGEMENT_BASE_URL"];
  if (running === undefined || running === "") {
    throw new EmulatorCommandError(
      "export needs --url with the base URL of a running emulator, or --data with the folder of one that does not run",
    );
  }
  return { kind: "export", file, from: { url: running } };
}

export function readImport(args: readonly string[]): WorldCommand {
  const line = new CommandLine("management-emulator import")
    .description(
      "Makes a data folder of an exported world. It is there when it is whole; if something fails, nothing is.",
    )
    .argument("<file>", "the file that export has written")
    .option("--data <folder>", "the folder, which is new or empty", some("--data takes a folder"))
    .helpOption("--help", "prints this text");
  const text = parse(line, args);
  if (text !== undefined) return { kind: "print", text };
  const file = fileOf(line.args);
  const { data: dataFolder } = line.opts();
  if (dataFolder === undefined) throw new EmulatorCommandError("import needs --data with a new folder");
  return { kind: "import", file, dataFolder };
}

/** Commander has refused a missing and a second one. */
function fileOf([file = ""]: readonly string[]): string {
  if (file === "") throw new EmulatorCommandError("the name of the file is empty");
  return file;
}

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { InvalidInputError } from "../provider/client/errors/errors";
import { prepareCallCount } from "./count-calls";
import { formatReadme } from "./documents";
import {
  readListedBefore,
  createProgramTest,
  readRecordedBefore,
  requireEmptyStack,
  omitIdentities,
} from "./earlier-runs";
import type { ImportOptions } from "./import-options";
import { importIntoStack, previewStack } from "./import-into-stack";
import { installPackages } from "./install-packages";
import type { Inventory, LeftOut } from "./inventory";
import { omitUndeclarable } from "./languages/yaml";
import { buildProgram, type ProgramResource } from "./model";
import { importPermissions, newerImportPermissions } from "./permissions.generated";
import { requirePreconditions } from "./preconditions";
import { writeProgramFiles } from "./program-files";
import { createPulumi } from "./pulumi";
import { readProject, placeFolders, chooseSets } from "./read-project";
import { isSet } from "./sets";

/** Writes the program of a project and brings the project under it; the exit code. */
export async function importProject(given: ImportOptions): Promise<number> {
  const options = { ...given, env: resolveNamesFile(given.env) };
  refuseSets(options);
  const { say, language } = options;
  const out = resolve(options.out);
  const scratch = mkdtempSync(join(tmpdir(), "management-import-"));
  const { env, made } = prepareCallCount(options.env, scratch);
  const began = process.cwd();
  say(`Fine-grained permissions that this needs of the token: ${importPermissions.join(", ")}.`);
  say(`On a newer installation it needs these as well: ${newerImportPermissions.join(", ")}.`);
  try {
    await requirePreconditions(options, out, scratch);
    mkdirSync(out, { recursive: true });
    const pulumi = createPulumi(out, env);
    const inStack = options.imports ? await readRecordedBefore(pulumi, out, options) : [];
    const written = readListedBefore(out).filter(createProgramTest(out, options));
    const recorded = [...inStack, ...omitIdentities(written, inStack)];
    const found = await readProject(options, out, env, recorded);
    // The paths of a program begin in its folder.
    process.chdir(out);
    for (const line of found.inventory.differences) say(line);
    const { inventory: read, notes } = chooseSets(placeFolders(found, out, recorded), out, options, recorded);
    const inventory = language === "yaml" ? omitUndeclarable(read) : read;
    const program = buildProgram(inventory, recorded);
    const added = omitIdentities(program.resources, recorded);
    if (options.imports && !existsSync(join(out, "Pulumi.yaml")))
      await requireEmptyStack(pulumi, { program: program.name, stack: options.stack, scratch });
    writeProgramFiles({ program, inventory, added, out, language });
    say(`The program is in ${options.out}: ${countDeclared(added)} new, ${recorded.length} existing.`);
    const writeReadme = (notImported: readonly LeftOut[]): void =>
      writeFileSync(
        join(out, "README.md"),
        formatReadme(program, inventory, { language, notes, notImported }),
      );
    writeReadme([]);
    let code = 0;
    let notTaken: readonly LeftOut[] = [];
    if (options.imports) {
      // An earlier run may have ended between the program and the import.
      const toImport = omitIdentities(program.resources, inStack);
      const importing = { pulumi, out, scratch, program, added: toImport, options, env };
      await installPackages(importing);
      const notImported = await importIntoStack(importing);
      writeReadme(notImported);
      notTaken = notImported;
      for (const { type, label, why } of notImported) say(`Not imported: ${type} ${label}: ${why}`);
      code = await previewStack(importing);
    }
    for (const line of formatSecretLines(inventory)) say(line);
    for (const { type, label, why } of inventory.failed) say(`Not possible: ${type} ${label}: ${why}`);
    if (options.imports) {
      const isTaken = ({ type, name, comment }: ProgramResource): boolean =>
        comment === undefined && !notTaken.some((each) => each.type === type && each.label === name);
      const taken = program.resources.filter(isTaken).map(({ type, importId }) => `${type} ${importId}`);
      for (const line of found.elsewhere?.afterwards(new Set(taken)) ?? []) say(line);
    }
    const { calls, writes } = made();
    say(`${calls} calls to the service, of which ${writes} were writes.`);
    return writes > 0 ? 1 : code;
  } finally {
    process.chdir(began);
    rmSync(scratch, { recursive: true, force: true });
  }
}

function countDeclared(resources: readonly ProgramResource[]): number {
  return resources.filter(({ comment }) => comment === undefined).length;
}

/** The command changes into the folder of the program, and the path begins where the user is. */
function resolveNamesFile(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { MANAGEMENT_NAMES: names } = env;
  return names === undefined || names === "" ? env : { ...env, MANAGEMENT_NAMES: resolve(names) };
}

/** A set is in no file that `pulumi import` takes, and Terraform names what it has one by one. */
function refuseSets({ choose, imports, fromTerraform: state }: ImportOptions): void {
  const set = choose.find(isSet);
  const option = imports ? (state === undefined ? undefined : "--from-terraform") : "--no-import";
  if (set === undefined || option === undefined) return;
  throw new InvalidInputError(
    "choose",
    `\`--choose ${set}\` cannot be combined with \`${option}\`: \`pulumi import\` does not take a ${set}, so its first \`pulumi up\` would write. Omit one of the two options.`,
  );
}

function formatSecretLines({ secrets }: Inventory): string[] {
  return secrets.map(
    ({ name, compared }) =>
      ({
        equal: `Secret ${name}: the given value matches the service's.`,
        different: `Secret ${name}: the given value differs from the service's, so it is not declared.`,
        "not given": `Secret ${name}: no value was given, so it is not declared.`,
      })[compared],
  );
}

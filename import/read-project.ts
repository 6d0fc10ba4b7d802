import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createProcessRuntime } from "../provider/process/process-runtime";
import type { StatusLine } from "../provider/process/status-reporter";
import { readEnvFile } from "../provider/resources/functions/shared/env-file";
import { readAppliedMigrations } from "./applied-migrations";
import { readElsewhereConfig, readElsewhereTerraform, type Elsewhere } from "./elsewhere";
import type { ImportOptions } from "./import-options";
import { takeInventory, type Inventory } from "./inventory";
import type { NamedBefore } from "./model";
import { omitSetMembers, folderOf, addFunctionSet, addSecretSet } from "./sets";
import { findToolFolders, toProgramPath, placeSource } from "./source-folders";

interface Located {
  readonly inventory: Inventory;
  readonly functions: string | undefined;
  readonly notes: string[];
  readonly elsewhere: Elsewhere | undefined;
}

export async function readProject(
  options: ImportOptions,
  out: string,
  env: NodeJS.ProcessEnv,
  recorded: readonly NamedBefore[],
): Promise<Located> {
  const { projectRef, full, choose, say, dotenv } = options;
  const elsewhere = readElsewhere(options, out);
  const beside = options.fromConfig === undefined ? process.cwd() : dirname(resolve(options.fromConfig));
  const usual = findToolFolders(beside);
  const functions = options.functions === undefined ? usual.functions : resolve(options.functions);
  const migrations = options.migrations === undefined ? usual.migrations : resolve(options.migrations);
  const secretValues = new Map([
    ...(elsewhere?.secretValues ?? []),
    ...(dotenv === undefined ? [] : readEnvFile(dotenv).values),
  ]);
  const notes: string[] = [...(elsewhere?.notes ?? [])];
  const state = mkdtempSync(join(tmpdir(), "management-import-state-"));
  // What it remembers of objects is this command's alone: the stack's own provider takes them over.
  const send = ({ message, severity }: StatusLine): Promise<void> => {
    if (severity !== "info" && !notes.includes(message)) notes.push(message);
    return Promise.resolve();
  };
  const processRuntime = createProcessRuntime({ ...env, XDG_STATE_HOME: state }, send, { hasStack: false });
  const began = process.cwd();
  try {
    process.chdir(out);
    const runtime = processRuntime.runtime();
    let folder = migrations === undefined ? undefined : toProgramPath(out, migrations);
    if (folder === undefined && elsewhere?.isAll !== true && !choose.includes("Migration")) {
      const applied = await readAppliedMigrations(runtime, projectRef, out);
      notes.push(...applied.notes);
      folder = applied.folder;
    }
    const inventory = await takeInventory(runtime, {
      ...{ projectRef, full, choose, secretValues, elsewhere, onProgress: say },
      present: recorded.map(({ type }) => type),
      migrations: folder,
    });
    await runtime.client().close();
    return { inventory, functions, notes, elsewhere };
  } finally {
    process.chdir(began);
    rmSync(state, { recursive: true, force: true });
  }
}

function readElsewhere(options: ImportOptions, out: string): Elsewhere | undefined {
  const reading = { projectRef: options.projectRef, env: options.env, out, generation: options.generation };
  if (options.fromTerraform !== undefined) return readElsewhereTerraform(options.fromTerraform, reading);
  return options.fromConfig === undefined ? undefined : readElsewhereConfig(options.fromConfig, reading);
}

export function placeFolders(located: Located, out: string, recorded: readonly NamedBefore[]): Located {
  const { functions, notes } = located;
  const inventory = omitSetMembers(located.inventory, recorded, out);
  const ofSets = recorded.flatMap(({ type, importId }) =>
    type === "FunctionSet" ? [folderOf(importId)] : [],
  );
  const objects = inventory.objects.map((each) => {
    const { found, note } = placeSource(each, out, functions, ofSets);
    if (note !== undefined) notes.push(note);
    return found;
  });
  return { ...located, inventory: { ...inventory, objects } };
}

/** With the sets that were asked for, unless the stack has one. */
export function chooseSets(
  located: Located,
  out: string,
  { choose }: ImportOptions,
  recorded: readonly NamedBefore[],
): Located {
  const isNew = (wanted: string): boolean =>
    choose.includes(wanted) && !recorded.some(({ type }) => type === wanted);
  const folder = located.functions ?? join(out, "functions");
  const first = isNew("FunctionSet") ? addFunctionSet(located.inventory, out, folder) : located.inventory;
  return { ...located, inventory: isNew("SecretSet") ? addSecretSet(first) : first };
}

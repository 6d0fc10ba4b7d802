import { existsSync } from "node:fs";
import { join } from "node:path";
import { resourceByType } from "../provider/catalog/catalog";
import { InvalidInputError } from "../provider/client/errors/errors";
import { readEntries, tryStat } from "../provider/core/regular-files";
import { checkInputs } from "../provider/engine/check";
import type { Values } from "../provider/define/values";
import { composeState } from "../provider/engine/step/state";
import type { InventoryObject, Inventory } from "./inventory";
import type { NamedBefore } from "./model";
import { toProgramPath, hashOf } from "./source-folders";
import { writeMarks } from "../provider/define/state-marks";

/** The sets that `pulumi import` does not take. What the stack records of one is what its create would have recorded. */
export function isSet(type: string): boolean {
  return type === "FunctionSet" || type === "SecretSet";
}

/** How a set is told from others of the project, where a type that can be imported has its import ID. */
export function formatSetId(type: string, { projectRef, sourceDir }: Values): string {
  return `${String(projectRef)}/${type === "FunctionSet" ? String(sourceDir) : "secrets"}`;
}

/** Without what sets of the stack have already; what is new is taken over one by one. */
export function omitSetMembers(
  inventory: Inventory,
  recorded: readonly NamedBefore[],
  program: string,
): Inventory {
  const sets = recorded.filter(({ type }) => isSet(type));
  const findOfType = (wanted: string) => sets.filter(({ type }) => type === wanted);
  const secrets = new Set(findOfType("SecretSet").flatMap(({ names = [] }) => names));
  const functions = new Set(
    findOfType("FunctionSet").flatMap(({ names = [], importId }) => [
      ...names,
      ...listSourceFolders(join(program, folderOf(importId)), []),
    ]),
  );
  const objects = inventory.objects.filter(
    ({ type, inputs }) => type !== "EdgeFunction" || !functions.has(slugOf(inputs)),
  );
  const { projectRef } = inventory;
  const found = sets.map(({ type, importId, name }) => ({
    ...{ type, importId, label: name },
    inputs: { projectRef },
  }));
  return {
    ...inventory,
    objects: [...objects, ...found],
    secrets: inventory.secrets.map((each) => (secrets.has(each.name) ? { ...each, isInSet: true } : each)),
  };
}

/** The folder of a FunctionSet, by what `setId` gives. */
export function folderOf(id: string): string {
  return id.slice(id.indexOf("/") + 1);
}

/**
 * The functions whose source the folder has as it is deployed, as one set. The others stay resources of their own, and
 * the set excludes what the folder has of them. Throws where no function is left for the set.
 */
export function addFunctionSet(inventory: Inventory, program: string, folder: string): Inventory {
  const { projectRef, objects } = inventory;
  const functions = objects.filter(({ type }) => type === "EdgeFunction");
  if (functions.length === 0) return inventory;
  const sourceDir = toProgramPath(program, folder);
  const placed = functions.filter(({ inputs }) => inputs["sourceDir"] === `${sourceDir}/${slugOf(inputs)}`);
  const checkMembers = (members: readonly InventoryObject[]) => {
    const slugs = members.map(({ inputs }) => slugOf(inputs));
    const inputs = createSetInputs({ projectRef, sourceDir }, members, listSourceFolders(folder, slugs));
    return { given: inputs, ...checkInputs(resourceByType("FunctionSet"), inputs, inputs) };
  };
  const first = readDeployments(checkMembers(placed).inputs);
  // In a set, a function may have more than by itself, such as an import map beside the folders.
  const members = placed.filter(({ inputs }) => {
    const hash = hashOf(inputs);
    return hash !== undefined && first.get(slugOf(inputs)) === hash;
  });
  const { given, failures } = checkMembers(members);
  if (members.length === 0 || failures.length > 0) {
    const why = failures.map(({ path, reason }) => ` \`${path}\`: ${reason}`).join("");
    throw new InvalidInputError(
      "choose",
      `A FunctionSet cannot be imported without a deploy: ${sourceDir} has no function with the source that is deployed.${why} ` +
        "Pass the folder that was deployed with `--functions`, or run the command without `--choose FunctionSet`.",
    );
  }
  const deployed = members.map(({ inputs: own, state = {} }) => {
    const { functionId, version, ezbrSha256 } = state;
    return [slugOf(own), { functionId, version, ezbrSha256 }] as const;
  });
  const set = createFoundSet("FunctionSet", "functions", given, {
    names: deployed.map(([slug]) => slug).sort(),
    deployed: Object.fromEntries(deployed),
  });
  return { ...inventory, objects: [...objects.filter((each) => !members.includes(each)), set] };
}

function createSetInputs(
  base: Values,
  members: readonly InventoryObject[],
  exclude: readonly string[],
): Values {
  const options = members.flatMap(({ inputs }) => {
    const own = ["verifyJwt", "entrypointPath", "importMapPath", "staticPatterns"].flatMap((name) =>
      inputs[name] === undefined ? [] : [[name, inputs[name]] as const],
    );
    return own.length === 0 ? [] : [[slugOf(inputs), Object.fromEntries(own)] as const];
  });
  return {
    ...base,
    ...(options.length > 0 && { functions: Object.fromEntries(options) }),
    ...(exclude.length > 0 && { exclude }),
  };
}

/** The folders that a set would take for functions, without those of the given names. */
function listSourceFolders(folder: string, without: readonly string[]): string[] {
  if (!existsSync(folder)) return [];
  return readEntries(folder)
    .filter((entry) => entry.isDirectory() && !/^[._]/.test(entry.name) && entry.name !== "node_modules")
    .map(({ name }) => name)
    .filter((name) => !without.includes(name) && tryStat(join(folder, name, "index.ts"))?.isFile() === true)
    .sort();
}

function slugOf({ slug }: Values): string {
  return String(slug);
}

/** The hashes of the sources of a set by slug. */
function readDeployments(checked: Values): ReadonlyMap<string, unknown> {
  const { deployments = {} } = checked;
  const hashes = deployments as Readonly<Record<string, { readonly sourceHash?: string }>>;
  return new Map(Object.entries(hashes).map(([slug, { sourceHash }]) => [slug, sourceHash]));
}

/** The secrets whose values are known, as one set. Throws where the project has secrets and no value is known. */
export function addSecretSet(inventory: Inventory): Inventory {
  const { projectRef, objects, secrets } = inventory;
  if (secrets.length === 0) return inventory;
  const known = secrets.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const]));
  if (known.length === 0) {
    throw new InvalidInputError(
      "choose",
      "A SecretSet cannot be imported without a write: the service does not return the values, and none was given that it has. " +
        "Pass the file with the present values with `--dotenv`, or run the command without `--choose SecretSet`.",
    );
  }
  const inputs = { projectRef, secrets: Object.fromEntries(known) };
  const outputs = { names: known.map(([name]) => name), outOfSync: [] };
  return {
    ...inventory,
    objects: [...objects, createFoundSet("SecretSet", "secrets", inputs, outputs)],
    secrets: secrets.map((each) => (each.value === undefined ? each : { ...each, isInSet: true })),
  };
}

function createFoundSet(type: string, label: string, given: Values, outputs: Values): InventoryObject {
  const resource = resourceByType(type);
  const { inputs: checked } = checkInputs(resource, given, given);
  const state = writeMarks(composeState(resource, checked, { inputs: checked, outputs }), {
    isAdopted: true,
  });
  // What `check` computes is no part of a program.
  const inputs = Object.fromEntries(Object.entries(checked).filter(([name]) => name in given));
  return { type, importId: formatSetId(type, given), label, inputs, state };
}

import { ApiError, ForbiddenError, InvalidInputError, isUnrouted } from "../provider/client/errors/errors";
import { holdsSecret, listMarkedFields, isOptional } from "../provider/define/markers";
import { ACTIVE_HEALTHY } from "../provider/define/project-status";
import { sha256 } from "../provider/core/sha256";
import { NotDeclarableError, type AnyResource } from "../provider/define/resource";
import { allResources, resourceByType } from "../provider/catalog/catalog";
import { checkInputs } from "../provider/engine/check";
import { importResource } from "../provider/engine/import";
import { findList, listResources } from "../provider/engine/list";
import type { Runtime } from "../provider/engine/step/runtime";
import type { Values } from "../provider/define/values";
import { listSecretsOnce } from "../provider/resources/functions/shared/function-secrets";
import { createContext, READ_TIMEOUT_SECONDS } from "../provider/engine/step/runtime";
import { customTimeoutsOf, type CustomTimeouts } from "./custom-timeouts";
import { declareAsFiles, declareAsService } from "./declared-settings";
import type { Elsewhere } from "./elsewhere";
import { listOmissions } from "./omissions";
import { explainLeftOut, explainNotRead, explainUndeclarable } from "./untouched";

/** An object that is brought under Pulumi: as the service has it, and as the program declares it. */
export interface InventoryObject {
  readonly type: string;
  readonly importId: string;
  /** What users call it. */
  readonly label: string;
  /** What an import declares. */
  readonly inputs: Values;
  /** What the program declares, where that is not the same. */
  readonly declares?: Values;
  readonly customTimeouts?: CustomTimeouts | undefined;
  /** What the service has of it, or what the stack records of a set. */
  readonly state?: Values;
}

/** What is on the service and does not become a part of the program, and why. */
export interface LeftOut {
  readonly type: string;
  readonly label: string;
  readonly why: string;
}

/** A secret of functions, of which the service shows the name and a hash. */
export interface HashedSecret {
  readonly name: string;
  /** Its value by the given file, if that is what the service has. */
  readonly value?: string;
  readonly compared: "equal" | "different" | "not given";
  /** Whether a set of the program has it. */
  readonly isInSet?: boolean;
}

export interface Inventory {
  readonly projectRef: string;
  /** What users call the project. */
  readonly name: string;
  readonly objects: readonly InventoryObject[];
  readonly secrets: readonly HashedSecret[];
  readonly leftOut: readonly LeftOut[];
  /** What of the objects the program does not declare, though the service has it or may have it. */
  readonly omitted: readonly LeftOut[];
  /** What the service did not let us read or does not show. */
  readonly failed: readonly LeftOut[];
  /** Of types that manage the same things, the one that was taken. */
  readonly choices: readonly OverlapChoice[];
  /** Where the files of another tool declare what the service does not have. */
  readonly differences: readonly string[];
}

export interface InventoryOptions {
  readonly projectRef: string;
  /** Types that are to be taken of those that manage the same things. */
  readonly choose?: readonly string[];
  /** Types that the program has already, which decide where `choose` does not. */
  readonly present?: readonly string[];
  /** Declares everything that can be read, be it a new project's default. */
  readonly full?: boolean;
  /** Values with which those of the service are compared, by name. */
  readonly secretValues?: ReadonlyMap<string, string>;
  /** Folder of migrations, relative to the program's folder. */
  readonly migrations?: string | undefined;
  /** What the files of another tool declare; with `isAll`, nothing else is taken. */
  readonly elsewhere?: Pick<Elsewhere, "objects" | "isAll"> | undefined;
  readonly onProgress?: (line: string) => void;
}

/** Types that manage the same things, the preferred one first. */
interface Overlap {
  readonly of: string;
  readonly types: readonly [string, ...string[]];
  readonly why: string;
}

const OVERLAPS: readonly Overlap[] = [
  {
    of: "network restrictions",
    types: ["NetworkRestrictions", "AllowedCidr"],
    why: "one resource shows who may connect, and removes what is added elsewhere",
  },
  {
    of: "edge functions",
    types: ["EdgeFunction", "FunctionSet"],
    why: "each function keeps its deployed source, whatever a folder has",
  },
  {
    of: "function secrets",
    types: ["Secret", "SecretSet"],
    why: "each secret whose value is known can be imported by itself",
  },
  {
    of: "migrations",
    types: ["MigrationSet", "Migration"],
    why: "a team adds its next migrations to a folder of files",
  },
];

export interface OverlapChoice {
  readonly of: string;
  readonly taken: string;
  readonly instead: readonly string[];
  readonly why: string;
}

/** Types with which a program of one project has nothing to do. */
const NOT_OF_A_PROJECT = new Set(["Organization", "OrganizationWebhookEndpoint", "Project"]);

/** What is read in any case, as sets are made of it. */
const MAKES_SETS = new Set(["EdgeFunction"]);

/** Why there is nothing to import where the plan or the service lacks it; undefined for all other errors. */
function explainMissing(error: unknown): string | undefined {
  if (error instanceof ApiError && error.status === 402) return "not in the plan";
  return isUnrouted(error) ? "not on this service" : undefined;
}

/** Reads everything of a project that can be imported; no call of it writes. One object that cannot be read stops no other. */
export async function takeInventory(runtime: Runtime, options: InventoryOptions): Promise<Inventory> {
  const { projectRef, full = false, onProgress = () => undefined } = options;
  const choices = listChoices(options.choose ?? [], options.present ?? []);
  const others = new Map(choices.flatMap(({ instead, taken }) => instead.map((type) => [type, taken])));
  const objects: InventoryObject[] = [];
  const leftOut: LeftOut[] = [];
  const failed: LeftOut[] = [];
  const differences: string[] = [];
  const omitted: LeftOut[] = [];
  const { objects: given = [], isAll: isOnlyGiven = false } = options.elsewhere ?? {};
  /** Returns what became of it, as the progress shows it: "1", "none", or why it was not read. */
  const take = async (resource: AnyResource, importId: string, label: string): Promise<string> => {
    const { type } = resource;
    const isOnlyOne = resource.list === undefined && importId === projectRef;
    const declared = given.find((each) => each.type === type && each.importId === importId);
    if (declared === undefined && isOnlyGiven) return "not managed";
    try {
      const read = await importResource(
        runtime,
        full ? declareAllInputs(resource) : resource,
        importId,
        true,
      );
      if (read === undefined) {
        if (resource.list !== undefined)
          failed.push({ type, label, why: "the service lists it, but does not return it. Import again" });
        return "none";
      }
      const inputs = pickGivenInputs(resource, read.inputs);
      if (declared !== undefined) {
        const all = await importResource(runtime, declareAllInputs(resource), importId, true);
        const present = { smallest: inputs, all: pickGivenInputs(resource, all?.inputs ?? {}) };
        const settled = (isOnlyGiven ? declareAsService : declareAsFiles)(resource, declared, present);
        const declares = isOnlyGiven ? {} : { declares: settled.declares };
        const customTimeouts = customTimeoutsOf(declared.customTimeouts);
        objects.push({
          ...{ type, importId, label, inputs: settled.inputs, ...declares },
          ...{ customTimeouts, state: read.state },
        });
        differences.push(...settled.differences);
        omitted.push(...listOmissions(resource, label, settled));
        return "1";
      }
      const usual = full ? undefined : explainLeftOut(type, inputs);
      if (usual !== undefined) {
        leftOut.push({ type, label, why: usual });
        return "1";
      }
      objects.push({ type, importId, label, inputs, state: read.state });
      omitted.push(...listOmissions(resource, label, { declares: inputs, misfits: read.misfits }));
      return "1";
    } catch (error) {
      const missing = explainMissing(error);
      const undeclarable = error instanceof InvalidInputError ? explainUndeclarable(type) : undefined;
      const isExpected =
        missing !== undefined || undeclarable !== undefined || error instanceof NotDeclarableError;
      const isLeftOut = declared === undefined && isExpected;
      const why = undeclarable ?? reasonOf(error);
      (isLeftOut ? leftOut : failed).push({ type, label: isOnlyOne ? "" : label, why });
      return missing ?? "could not be read";
    }
  };

  const project = resourceByType("Project");
  const read = await importResource(runtime, project, projectRef, true);
  if (read === undefined) {
    throw new InvalidInputError(
      "project",
      `The project ${projectRef} does not exist, or the token may not see it. Pass the reference of a project: twenty lower-case letters.`,
    );
  }
  const name = typeof read.inputs["name"] === "string" ? read.inputs["name"] : projectRef;
  await take(project, projectRef, name);
  const { status } = read.state;
  /** What is not found in a project that is not active may exist all the same. */
  const reportEmpty = (type: string): void => {
    if (status === ACTIVE_HEALTHY) return;
    const why = `the service lists none, but the project is ${String(status)}, so there may be some. Import again once it is active`;
    failed.push({ type, label: "", why });
  };

  const types = allResources().filter(
    ({ type, isAction }) =>
      isAction !== true && !NOT_OF_A_PROJECT.has(type) && (!others.has(type) || MAKES_SETS.has(type)),
  );
  const isGiven = (type: string): boolean => !isOnlyGiven || given.some((each) => each.type === type);
  const isNotAsked = (resource: AnyResource): boolean =>
    resource.type === "MigrationSet"
      ? options.migrations === undefined
      : findList(resource) === undefined || (!full && explainNotRead(resource.type) !== undefined);
  const wanted = types.filter(({ type }) => type !== "Secret" && isGiven(type));
  // The secrets are asked for last.
  const count = wanted.filter((resource) => !isNotAsked(resource)).length + 1;
  let addons: ReadonlySet<string> | undefined;
  let done = 0;
  const report = (type: string, result: string): void => {
    done += 1;
    onProgress(`${done}/${count} ${type}: ${result}`);
  };
  for (const resource of wanted) {
    const { type } = resource;
    if (type === "MigrationSet") {
      if (options.migrations === undefined) continue;
      await take(resource, `${projectRef}/${options.migrations}`, options.migrations);
      report(type, options.migrations);
      continue;
    }
    if (findList(resource) === undefined) continue;
    const notRead = full ? undefined : explainNotRead(type);
    if (notRead !== undefined) {
      leftOut.push({ type, label: "", why: notRead });
      continue;
    }
    // Without the add-on the service answers with an error, not that there is none.
    if (type.startsWith("CustomHostname") && addons?.has("custom_domain") === false) {
      report(type, "none");
      continue;
    }
    // What a project has at most one of is read.
    if (resource.list === undefined) {
      report(type, await take(resource, projectRef, projectRef));
      continue;
    }
    try {
      const found = await listResources(runtime, resource, { projectRef });
      report(type, found.length === 0 ? "none" : String(found.length));
      if (found.length === 0) reportEmpty(type);
      if (type === "BillingAddon") addons = new Set(found.map(({ id }) => id.slice(id.indexOf("/") + 1)));
      for (const { id, name } of found) await take(resource, id, name);
    } catch (error) {
      const missing = explainMissing(error);
      report(type, missing ?? "could not be listed");
      (missing === undefined ? failed : leftOut).push({ type, label: "", why: reasonOf(error) });
    }
  }
  const isWanted = (secret: string): boolean =>
    !isOnlyGiven ||
    given.some((each) => each.importId === `${projectRef}/${secret}` && each.type === "Secret");
  const withSecrets = !isOnlyGiven || given.some(({ type }) => type === "Secret");
  const listed = withSecrets ? await readSecrets(runtime, options, failed) : [];
  const isRead = withSecrets && failed.every(({ type }) => type !== "Secret");
  if (isRead && listed.length === 0) reportEmpty("Secret");
  const secrets = listed.filter((each) => isWanted(each.name));
  report("Secret", secrets.length === 0 ? "none" : String(secrets.length));
  if (isOnlyGiven)
    leftOut.push({ type: "everything else", label: "", why: "the state of Terraform does not manage it" });
  if (!full && !isOnlyGiven) {
    const why = "a program without them leaves them as they are; `--full` declares all that can be read";
    omitted.push({ type: "other optional properties", label: "", why });
  }
  const seen = [...objects, ...leftOut, ...failed];
  for (const { type, importId, source } of given) {
    const isThere = objects.some((each) => each.type === type && each.importId === importId);
    if (type === "Secret" || isThere || importId?.split("/", 1)[0] !== projectRef) continue;
    if (seen.some((each) => each.type === type && !("importId" in each))) continue;
    failed.push({ type, label: source, why: "it is declared there, and the service does not have it" });
  }
  return { projectRef, name, objects, secrets, leftOut, omitted, failed, choices, differences };
}

/** The names of secrets, and whether the given values are those of the service. */
async function readSecrets(
  runtime: Runtime,
  { projectRef, secretValues = new Map() }: InventoryOptions,
  failed: LeftOut[],
): Promise<HashedSecret[]> {
  const ctx = createContext(runtime, { label: "function secrets", seconds: READ_TIMEOUT_SECONDS });
  try {
    const records = await listSecretsOnce(ctx, projectRef);
    return [...records]
      .map(([name, { hash }]): HashedSecret => {
        const value = secretValues.get(name);
        if (value === undefined) return { name, compared: "not given" };
        return sha256(value) === hash ? { name, compared: "equal", value } : { name, compared: "different" };
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    failed.push({ type: "Secret", label: "", why: reasonOf(error) });
    return [];
  }
}

/** Why a type cannot be chosen; undefined where it can. */
export function explainUnknownChoice(type: string): string | undefined {
  if (OVERLAPS.some(({ types }) => types.includes(type))) return undefined;
  const known = OVERLAPS.flatMap(({ types }) => types).join(", ");
  return `--choose takes one of ${known}; \`${type}\` is none of them.`;
}

/** Of types that manage the same things one is taken: the first, or the one that was asked for. */
function listChoices(chosen: readonly string[], present: readonly string[]): OverlapChoice[] {
  const unknown = chosen.flatMap((type) => explainUnknownChoice(type) ?? []);
  if (unknown[0] !== undefined) throw new InvalidInputError("choose", unknown[0]);
  return OVERLAPS.map(({ of, types, why }) => {
    const asked = types.find((type) => chosen.includes(type));
    const taken = asked ?? types.findLast((type) => present.includes(type)) ?? types[0];
    return {
      of,
      taken,
      instead: types.filter((type) => type !== taken),
      why: asked !== undefined ? "--choose names it" : taken === types[0] ? why : "the program has it",
    };
  });
}

/** The definition of which an import declares all that it can read. */
function declareAllInputs(resource: AnyResource): AnyResource {
  const { importId } = resource;
  const asked = Object.fromEntries((importId.readsIfDeclared ?? []).map((name) => [name, ""]));
  const names = listMarkedFields(resource.inputs).flatMap(([name, field, { local, createOnly }]) =>
    isOptional(field) && local !== true && createOnly !== true ? [name] : [],
  );
  return {
    ...resource,
    read: async (ctx, target) => {
      if (Object.keys(asked).length === 0) return resource.read(ctx, target);
      try {
        return await resource.read(ctx, { ...target, state: { ...asked, ...target.state } });
      } catch (error) {
        if (error instanceof ForbiddenError) return resource.read(ctx, target);
        throw error;
      }
    },
    importId: { ...importId, declares: (observed) => ({ ...observed }), alsoDeclares: names },
  };
}

/** What a program writes: without what `check` computes, and without what the service has not shown. */
function pickGivenInputs(resource: AnyResource, inputs: Values): Values {
  const { inputs: checked } = checkInputs(resource, inputs, inputs);
  return Object.fromEntries(
    listMarkedFields(resource.inputs).flatMap(([name, field, { computed, createOnly }]) => {
      const value = inputs[name];
      if (computed === true || createOnly === true || value === undefined || value === null) return [];
      if (value === "" && holdsSecret(field)) return [];
      return name in checked ? [[name, value]] : [];
    }),
  );
}

function reasonOf(error: unknown): string {
  if (error instanceof ForbiddenError) return `the token may not read it: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

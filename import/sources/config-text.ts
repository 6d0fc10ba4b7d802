import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { updateAuthConfigBody } from "../../spec/auth-config-body";
import { isObject } from "../../spec/is-object";
import type { Names } from "../../spec/names/names";
import {
  mergeTables,
  parseToolConfig,
  tableOf,
  ToolConfigError,
  type ConfigTables,
} from "../../provider/resources/functions/shared/tool-config";
import { configKeys, isAmong, type Generation } from "./config-keys";
import { SourceError } from "./source-error";
import { readTextFile } from "../../spec/regular-file";
import { isReference } from "../../spec/project-reference";

/** A block of `[remotes]` laid over the rest of the file. */
export interface ConfigTarget {
  /** The block's name; undefined for the file without any block. */
  readonly name: string | undefined;
  readonly projectRef: string | undefined;
  readonly tables: ConfigTables;
}

/** A configuration file of the platform's tool in the specification's words. */
export interface ConfigText {
  readonly path: string;
  /** The one that wrote it, as far as it is known. */
  readonly generation: Generation | undefined;
  readonly base: ConfigTarget;
  readonly remotes: readonly ConfigTarget[];
  readonly notes: readonly string[];
  /** `config.toml, line 12`: the line of the key, or of the nearest section around it. */
  place(path: readonly string[]): string;
}

export interface ConfigTextOptions {
  readonly names: Names;
  /** As the user says. */
  readonly generation?: Generation | undefined;
}

/** The newest schema of the file that is known here. */
const NEWEST_SCHEMA = 1;

const NOT_IN_REMOTES = ["local", "remotes", "project_id"];

export function readConfigText(path: string, options: ConfigTextOptions): ConfigText {
  const text = textOf(path);
  refuseSecondFile(path);
  const given = parseConfigTables(path, text);
  refuseNewerSchema(path, text, given);
  const tables = toNeutralTables(given, options.names);
  const lines = mapLines(text, options.names);
  const place = (at: readonly string[]): string => {
    for (let length = at.length; length > 0; length -= 1) {
      const line = lines.get(at.slice(0, length).join("\n"));
      if (line !== undefined) return `${path}, line ${line}`;
    }
    return path;
  };
  const { remotes: blocks, ...base } = tables;
  const remotes = listRemotes(base, tableOf(blocks), place);
  const paths = [
    ...listPaths(base),
    ...Object.entries(tableOf(blocks)).flatMap(([, block]) => listPaths(tableOf(block))),
  ];
  const generation =
    options.generation ?? (paths.some((each) => isAmong(configKeys.newer, each)) ? 3 : undefined);
  const notes = [
    ...listUnknownKeys(path, tables, generation, place),
    ...(generation === undefined
      ? [
          "The file does not show which generation of the tool wrote it. If a note below asks for it, pass `--generation 2` or `--generation 3`.",
        ]
      : []),
  ];
  return {
    path,
    generation,
    base: { name: undefined, projectRef: readLinkedRef(path), tables: foldKeyCase(base, generation) },
    remotes: remotes.map((each) => ({ ...each, tables: foldKeyCase(each.tables, generation) })),
    notes,
    place,
  };
}

function textOf(path: string): string {
  try {
    return readTextFile(path);
  } catch (error) {
    const code = isObject(error) && typeof error["code"] === "string" ? error["code"] : "it cannot be opened";
    throw new SourceError(
      `${path} cannot be read (${code}): give the path of the tool's configuration file, as \`--from-config svc/config.toml\`.`,
    );
  }
}

function refuseSecondFile(path: string): void {
  const files = ["config.toml", "config.json", "config.jsonc"].map((name) => join(dirname(path), name));
  const there = files.filter((each) => existsSync(each));
  if (there.length > 1 && there.includes(join(dirname(path), path.slice(path.lastIndexOf("/") + 1))))
    throw new SourceError(
      `${there.join(" and ")} are in one folder, which the tool refuses. Remove the one that is not used.`,
    );
}

function parseConfigTables(path: string, text: string): ConfigTables {
  if (text.trim() === "") throw new SourceError(`${path} is empty. Pass the file that the tool uses.`);
  try {
    return parseToolConfig(path, text);
  } catch (error) {
    if (!(error instanceof ToolConfigError)) throw error;
    throw new SourceError(`${path} cannot be read: ${error.message}. Correct the file.`);
  }
}

function refuseNewerSchema(path: string, text: string, given: ConfigTables): void {
  const comment = /^#:schema\s+(\S+)/m.exec(text)?.[1];
  const mark = comment ?? (typeof given["$schema"] === "string" ? given["$schema"] : undefined);
  const version = /\/v(\d+)(?:\.\d+)*(?:\/|\.json|$)/.exec(mark ?? "")?.[1];
  if (version !== undefined && Number(version) > NEWEST_SCHEMA)
    throw new SourceError(
      `${path} is of version ${version} of its schema, but this package only knows versions up to ${NEWEST_SCHEMA}. Use a newer version of this package.`,
    );
}

/** The installation's words for sections and keys, with the specification's. */
function collectSectionWords(names: Names): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  const add = (section: string, word: string, placeholder: string): void => {
    if (word !== placeholder) words.set(`${section}\n${word}`, placeholder);
  };
  for (const slot of configKeys.slots) {
    add("auth.external", findSpelledField(names, `external_${slot}_enabled`, "external_", "_enabled"), slot);
  }
  const vendorC = findSpelledField(names, "sms_vendorC_account_sid", "sms_", "_account_sid");
  add("auth.sms", vendorC, "vendorC");
  add("auth.sms", `${vendorC}_verify`, "vendorC_verify");
  add("auth.sms", findSpelledField(names, "sms_vendorA_originator", "sms_", "_originator"), "vendorA");
  add("auth.sms", findSpelledField(names, "sms_vendorB_sender", "sms_", "_sender"), "vendorB");
  add("auth.sms", findSpelledField(names, "sms_vendorD_api_key", "sms_", "_api_key"), "vendorD");
  add("auth.third_party", findSpelledField(names, "external_idp20_enabled", "external_", "_enabled"), "tpa5");
  for (const party of ["tpa1", "tpa2", "tpa3", "tpa4", "tpa5"] as const) {
    add("auth.third_party", names.tool(party), party);
  }
  add("auth.external", names.tool("former_provider"), "former_provider");
  add("experimental", names.tool("differ"), "differ");
  add("experimental", names.tool("engine_version"), "engine_version");
  add("db", names.tool("engine_version"), "engine_version");
  add("", names.tool("former_local_smtp"), "former_local_smtp");
  return words;
}

/** The word in the middle of a field that an installation spells in its own way. */
function findSpelledField(names: Names, field: string, before: string, after: string): string {
  const spelled = names.toWire.key(updateAuthConfigBody, field);
  return spelled.startsWith(before) && spelled.endsWith(after)
    ? spelled.slice(before.length, -after.length)
    : spelled;
}

function toNeutralTables(given: ConfigTables, names: Names): ConfigTables {
  const words = collectSectionWords(names);
  const visit = (value: unknown, section: readonly string[]): unknown => {
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([key, one]) => {
      const name = toNeutralKey(words, section, key);
      return [name, visit(one, [...section, name])] as const;
    });
    return Object.fromEntries(entries);
  };
  return visit(given, []) as ConfigTables; // A table stays a table.
}

/** Below a block of `[remotes]` everything is called as in the file. */
function toNeutralKey(words: ReadonlyMap<string, string>, above: readonly string[], key: string): string {
  const section = above[0] === "remotes" ? above.slice(2) : above;
  return words.get(`${section.join(".")}\n${key}`) ?? key;
}

/** The lines of sections and keys, by their paths; what only looks like one does no harm, as the paths are looked up. */
function mapLines(text: string, names: Names): ReadonlyMap<string, number> {
  const words = collectSectionWords(names);
  const lines = new Map<string, number>();
  let section: readonly string[] = [];
  const toNeutralPath = (path: readonly string[]): string[] =>
    path.reduce<string[]>((above, key) => [...above, toNeutralKey(words, above, key)], []);
  text.split("\n").forEach((line, index) => {
    const header = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$/.exec(line)?.[1];
    const key = /^\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=/.exec(line)?.[1];
    if (header !== undefined) section = toNeutralPath(splitKey(header));
    const path =
      header !== undefined
        ? section
        : key === undefined
          ? undefined
          : toNeutralPath([...section, ...splitKey(key)]);
    const name = path?.join("\n");
    if (name !== undefined && !lines.has(name)) lines.set(name, index + 1);
  });
  return lines;
}

function splitKey(key: string): string[] {
  return (key.match(/[\w-]+|"[^"]*"|'[^']*'/g) ?? []).map((each) => each.replace(/^["']|["']$/g, ""));
}

function listRemotes(
  base: ConfigTables,
  blocks: ConfigTables,
  place: (path: readonly string[]) => string,
): ConfigTarget[] {
  const found = Object.entries(blocks).map(
    ([name, block]): ConfigTarget & { readonly projectRef: string } => {
      const { project_id: ref, ...rest } = tableOf(block);
      const at = place(["remotes", name, "project_id"]);
      if (typeof ref !== "string" || !isReference(ref))
        throw new SourceError(
          `${at}: \`remotes.${name}.project_id\` is required and must be the reference of a project or branch: twenty lower-case letters. \`env(…)\` is not read there.`,
        );
      return { name, projectRef: ref, tables: overlayBlock(base, rest) };
    },
  );
  for (const [index, { name, projectRef }] of found.entries()) {
    const first = found.findIndex((each) => each.projectRef === projectRef);
    if (first !== index)
      throw new SourceError(
        `${place(["remotes", name ?? "", "project_id"])}: \`remotes.${name ?? ""}\` and \`remotes.${found[first]?.name ?? ""}\` have one \`project_id\`: give each its own, or remove one.`,
      );
  }
  return found;
}

/** Seeds are not taken over into a remote, unless its block says so. */
function overlayBlock(base: ConfigTables, block: ConfigTables): ConfigTables {
  const own = Object.fromEntries(Object.entries(block).filter(([key]) => !NOT_IN_REMOTES.includes(key)));
  const unseeded = mergeTables(base, { db: { seed: { enabled: false } } });
  return mergeTables(unseeded, own);
}

/** The paths of everything that is no table; a table without anything is one too. */
function listPaths(tables: ConfigTables, above: readonly string[] = []): (readonly string[])[] {
  return Object.entries(tables).flatMap(([key, value]) => {
    const path = [...above, key];
    return isObject(value) && Object.keys(value).length > 0 ? listPaths(value, path) : [path];
  });
}

/** Keys that one generation withdrew, with what is there in their place. */
const WITHDRAWN: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/^former_local_smtp(?:\.|$)/, "`[local_smtp]`"],
  [/^experimental\.engine_version$/, "`engine_version` of `[db]`"],
  [/^auth\.external\.(?:idp15|former_provider)(?:\.|$)/, "the section of the same name with `_oidc`"],
];

/** A key that the tool does not know is an error of generation 2, and ignored by 3; one that it withdrew the other way round. */
function listUnknownKeys(
  path: string,
  tables: ConfigTables,
  generation: Generation | undefined,
  place: (path: readonly string[]) => string,
): string[] {
  const { remotes, ...base } = tables;
  const targets = [
    { above: [] as string[], values: base },
    ...Object.entries(tableOf(remotes)).map(([name, block]) => ({
      above: ["remotes", name],
      values: tableOf(block),
    })),
  ];
  const notes: string[] = [];
  for (const { above, values } of targets) {
    for (const each of listPaths(values)) {
      const key = each.join(".");
      const at = place([...above, ...each]);
      const withdrawn = WITHDRAWN.find(([pattern]) => pattern.test(key));
      const value = readValueAt(values, each);
      if (withdrawn !== undefined && value !== "") {
        if (generation === 3)
          throw new SourceError(`${at}: \`${key}\` was withdrawn: use ${withdrawn[1]} instead.`);
        notes.push(`${at}: \`${key}\` was withdrawn in generation 3, where ${withdrawn[1]} is in its place.`);
      } else if (!isKnown(each, generation, value)) {
        if (generation === 2)
          throw new SourceError(
            `${at}: the tool has no key \`${key}\`: correct or remove it. If generation 3 wrote the file, pass \`--generation 3\`.`,
          );
        notes.push(`${at}: the tool has no key \`${key}\`, and ignores it.`);
      }
    }
  }
  return [...new Set(notes)].map((note) => (note.startsWith(path) ? note : `${path}: ${note}`));
}

function isKnown(path: readonly string[], generation: Generation | undefined, value: unknown): boolean {
  const patterns = generation === 2 ? configKeys.all : [...configKeys.all, ...configKeys.newer];
  if (path[0] === "$schema" || isAmong(patterns, path)) return true;
  // A section without any key, of which it is known what could be in it.
  return (
    isObject(value) &&
    patterns.some((pattern) => isAmong([pattern.split(".").slice(0, path.length).join(".")], path))
  );
}

function readValueAt(tables: ConfigTables, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), tables);
}

/** Generation 2 reads names in lower case, and those of secrets in capitals. */
function foldKeyCase(tables: ConfigTables, generation: Generation | undefined): ConfigTables {
  if (generation !== 2) return tables;
  const renameKeys = (value: unknown, rename: (key: string) => string): ConfigTables =>
    Object.fromEntries(Object.entries(tableOf(value)).map(([key, one]) => [rename(key), one]));
  const lower = (key: string): string => key.toLowerCase();
  const { functions, edge_runtime: runtime, storage } = tables;
  return {
    ...tables,
    ...(functions === undefined ? {} : { functions: renameKeys(functions, lower) }),
    ...(isObject(storage) && isObject(storage["buckets"])
      ? { storage: { ...storage, buckets: renameKeys(storage["buckets"], lower) } }
      : {}),
    ...(isObject(runtime) && isObject(runtime["secrets"])
      ? { edge_runtime: { ...runtime, secrets: renameKeys(runtime["secrets"], (key) => key.toUpperCase()) } }
      : {}),
  };
}

/** The project that the tool is linked to. */
function readLinkedRef(path: string): string | undefined {
  const file = join(dirname(path), ".temp", "project-ref");
  if (!existsSync(file)) return undefined;
  const ref = readTextFile(file).trim();
  return isReference(ref) ? ref : undefined;
}

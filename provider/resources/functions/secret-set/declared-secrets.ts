import { isObject } from "../../../../spec/is-object";
import { InvalidInputError } from "../../../client/errors/errors";
import {
  checkNames,
  isReserved,
  toNamedSecrets,
  secretName,
  secretValue,
} from "../shared/function-secret-names";
import { sha256 } from "../../../core/sha256";
import { formatCodeList } from "../../../define/format-code-list";
import type { CheckFailure, CheckResult, Installation } from "../../../define/resource";
import { listSortedKeys, refuseEmpty } from "../shared/empty-source";
import { readEnvFile } from "../shared/env-file";
import { problems } from "./problems";

/** Why no secret is called `__proto__`. */
const KEPT_NAME = "a name that is reserved in JavaScript";

/** The inputs that say which secrets a set has. */
export interface SecretSources {
  readonly secrets?: Readonly<Record<string, string>> | undefined;
  readonly envFile?: string | undefined;
  readonly prune?: boolean | undefined;
  readonly allowEmpty?: boolean | undefined;
}

/** The secrets by name: those of the program win over those of the file, of which names of the service's own are left out. */
export function readDeclaredSecrets(
  { secrets = {}, envFile }: SecretSources,
  installation?: Installation,
): Map<string, string> {
  const fromFile = envFile === undefined ? [] : [...readEnvFile(envFile).values];
  return new Map([
    ...fromFile.filter(([name]) => !isReserved(name, installation)),
    ...Object.entries(secrets),
  ]);
}

/** The names alone: those of a state, or those that are declared as far as the sources are known. */
export function listDeclaredSecretNames({
  names: had,
  hashes,
  secrets,
  envFile,
}: SecretSources & {
  readonly names?: readonly string[];
  readonly hashes?: Readonly<Record<string, string>> | undefined;
}): readonly string[] {
  if (had !== undefined) return had;
  if (isObject(hashes)) return Object.keys(hashes);
  const names = isObject(secrets) ? Object.keys(secrets) : [];
  try {
    return [...(envFile === undefined ? [] : readEnvFile(envFile).values.keys()), ...names];
  } catch {
    // The check reports a file that cannot be read.
    return names;
  }
}

/** What is wrong with the sources, and the hashes of what they hold. */
export function checkSecrets(
  given: SecretSources,
  isUnknown: (name: keyof SecretSources) => boolean,
  before: Readonly<Record<string, unknown>> = {},
  installation?: Installation,
): CheckResult<{ hashes?: Record<string, string> | undefined }> {
  const isGiven = (name: keyof SecretSources): boolean => given[name] !== undefined || isUnknown(name);
  if (!isGiven("secrets") && !isGiven("envFile")) {
    return { failures: [{ path: "secrets", reason: problems.nothingDeclared.message() }] };
  }
  // Zod passes over this key, so that nothing has looked at its value.
  if (Object.hasOwn(given.secrets ?? {}, "__proto__")) {
    const reason = problems.notASecret.message({ name: "__proto__", fault: KEPT_NAME });
    return { failures: [{ path: "secrets", reason }] };
  }
  try {
    const fromFile = given.envFile === undefined ? undefined : readEnvFile(given.envFile);
    const isLeftOut = ([name]: readonly [string, ...unknown[]]): boolean => isReserved(name, installation);
    const inFile = [...(fromFile?.values ?? [])].sort();
    const own = inFile.filter((each) => !isLeftOut(each));
    const named = checkNames(
      toNamedSecrets(given.secrets ?? {}, before["hashes"], (value) => sha256(String(value))),
      installation,
    );
    const failures = [...named.failures, ...own.flatMap(findFaults)];
    if (fromFile !== undefined && own.length === 0 && !isUnknown("secrets") && !isUnknown("allowEmpty"))
      failures.push(...checkEmptyFile(given, before));
    const warnings = [
      ...named.warnings,
      ...findWarnings((fromFile?.unexpanded ?? []).filter((name) => !isLeftOut([name]))),
    ];
    const notes = formatLeftOut(
      given.envFile,
      inFile.filter(isLeftOut).map(([name]) => name),
    );
    if (failures.length > 0 || isUnknown("secrets") || isUnknown("envFile"))
      return { failures, warnings, notes };
    return { computed: { hashes: hashSecrets(readDeclaredSecrets(given, installation)) }, warnings, notes };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return { failures: [{ path: "envFile", reason: error.message }] };
  }
}

/** What is wrong with a file that has nothing: a name that the program gives, now or before, does not come from it. */
function checkEmptyFile(given: SecretSources, before: Readonly<Record<string, unknown>>): CheckFailure[] {
  const { envFile = "", secrets = {} } = given;
  const others = new Set([...listSortedKeys(before["secrets"]), ...Object.keys(secrets)]);
  const had = listSortedKeys(before["hashes"]).filter((name) => !others.has(name));
  // With secrets of the program the set is not empty, and prunes only what it is told to.
  const prune = given.prune === true && Object.keys(secrets).length === 0;
  return refuseEmpty("envFile", envFile, { ...given, prune }, had);
}

export function hashSecrets(secrets: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries([...secrets].map(([name, value]) => [name, sha256(value)]));
}

function formatLeftOut(path = "", reserved: readonly string[]): string[] {
  return reserved.length === 0 ? [] : [problems.leftOut.message({ path, names: formatCodeList(reserved) })];
}

/** What another tool would read otherwise. */
function findWarnings(unexpanded: readonly string[]): string[] {
  if (unexpanded.length === 0) return [];
  return [problems.notExpanded.message({ names: formatCodeList([...unexpanded].sort()) })];
}

/** Why what a file has can be no secret; never a value. */
function findFaults([name, value]: readonly [string, string]): CheckFailure[] {
  const issues = [
    ...(secretName.safeParse(name).error?.issues ?? []),
    ...(secretValue.safeParse(value).error?.issues ?? []),
  ];
  const faults = [...issues.map(({ message }) => message), ...(name === "__proto__" ? [KEPT_NAME] : [])];
  return faults.map((fault) => ({
    path: "envFile",
    reason: problems.notASecret.message({ name, fault }),
  }));
}

import { all, isSecret, output, Output, type Input, type Inputs } from "@pulumi/pulumi/output";
import type { CustomResource, CustomResourceOptions, Resource } from "@pulumi/pulumi/resource";
import { toPrintable } from "../../../spec/printed-text";
import { Redactor } from "../../client/redaction/redactor";
import { formatCode } from "../../core/markdown";
import { readNamedFile } from "../../core/regular-files";
import { tryOrUndefined } from "../../../spec/try-or-undefined";
import {
  DEFAULT_PREFIX,
  previewName,
  explainNotPreview,
  type PreviewPurpose,
  type BranchFacts,
} from "../../resources/branches/shared/preview-identity";
import { checkQuery } from "../../resources/database/shared/script-failures";
import { getOutput, type Composition } from "../composition";
import { TTL_SECRET } from "../../resources/branches/shared/preview-lifetime";
import type { PreviewInputs, PreviewOutputs } from "./preview-environment";

type ComponentOutputs<O> = { readonly [K in keyof O]-?: Output<O[K]> };

/** Makes the branch, and on it what is declared, in the order in which each needs the other. */
export function composePreview(composed: Composition<PreviewInputs>): ComponentOutputs<PreviewOutputs> {
  const { component, name, args, make } = composed;
  const {
    migrations,
    setup,
    databaseWebhooks,
    baseline,
    accept,
    outOfOrder,
    excludeMigrations,
    via,
    rollbackTo,
    functions,
    functionsConfigFile,
    functionOptions,
    only,
    exclude,
    settings,
    auth,
    secrets,
    envFile,
    vaultSecrets,
    seed,
    transaction,
    ttlHours,
    timeouts,
  } = args;
  const waits = pickGiven({ timeouts });
  const vault = requireKnownNames(name, vaultSecrets);
  const branchName = all([
    args.namePrefix ?? DEFAULT_PREFIX,
    args.pullRequest,
    args.repository,
    args.parentProjectRef,
  ]).apply(([prefix, number, repository, parentRef]) =>
    previewName(prefix, number, { repository, parentRef }),
  );
  const branch = make("Branch", `${name}-branch`, toBranchArgs(args, branchName), { parent: component });
  const ref = ownRefOf(branch, branchName, args);

  const made: CustomResource[] = [];
  /** Makes a resource on the branch if it is declared; the branch's delete takes it along. */
  const createOnBranch = (
    type: string,
    suffix: string,
    own: Inputs | undefined,
    after: readonly Resource[] = [],
  ) => {
    if (own === undefined) return [];
    const opts: CustomResourceOptions = { parent: component, deletedWith: branch, dependsOn: [...after] };
    const resource = make(type, `${name}-${suffix}`, { projectRef: ref, ...own, ...waits }, opts);
    made.push(resource);
    return [resource];
  };
  const configured = createOnBranch("PostgresConfig", "settings", settings);
  createOnBranch("AuthConfig", "auth", auth, configured);
  // A machine that is gone may have made it and its engine not have recorded it: on its own branch it is the preview's.
  const ours = { adopt: true };
  // A pull request may remove the last of them.
  const wholly = { ...ours, allowEmpty: true };
  const secret = createOnBranch("SecretSet", "secrets", pickGiven({ secrets, envFile }, wholly));
  const vaulted = Object.entries(vault).flatMap(([key, value]) =>
    createOnBranch(
      "VaultSecret",
      `vault-${key}`,
      { name: key, value: value as unknown, ...ours },
      configured,
    ),
  );
  const migrationSet = pickGiven(
    { directory: migrations },
    pickGiven({ baseline, accept, outOfOrder, exclude: excludeMigrations, via, rollbackTo }),
  );
  const webhooks = createOnBranch(
    "DatabaseWebhooks",
    "webhooks",
    isTrue(name, { databaseWebhooks }) ? {} : undefined,
  );
  /** One script for each file, each after the one before it. */
  const runFiles = (
    input: ScriptInput,
    files: PreviewScripts | undefined,
    after: readonly CustomResource[],
    inTransaction?: Input<boolean>,
  ): readonly CustomResource[] =>
    listScriptFiles(input, files).reduce<readonly CustomResource[]>((before, file, index) => {
      const suffix = index === 0 ? input : `${input}-${index + 1}`;
      const query = output({ file, transaction: inTransaction }).apply(async (read) =>
        readScript(input, read.file, await isSecret(output(file)), read.transaction),
      );
      const own = pickGiven({ transaction: inTransaction });
      const script = { query, name: suffix, sourceFile: output(file), ...own, ...ours };
      return [...before, ...createOnBranch("SqlScript", suffix, script, [...after, ...before.slice(-1)])];
    }, []);
  const prepared = runFiles("setup", setup, [...configured, ...vaulted, ...webhooks]);
  const beforeMigrations = [...configured, ...vaulted, ...webhooks, ...prepared];
  const schema = createOnBranch("MigrationSet", "migrations", migrationSet, beforeMigrations);
  const seeded = runFiles("seed", seed, [...beforeMigrations, ...schema], transaction);
  const told = pickGiven({ configFile: functionsConfigFile, functions: functionOptions, only, exclude });
  const functionSet = pickGiven({ sourceDir: functions }, { ...wholly, ...told });
  const [deployed] = createOnBranch("FunctionSet", "functions", functionSet, [
    ...secret,
    ...schema,
    ...seeded,
  ]);

  // Known only once all that is declared is there: who uses an output finds what the preview is for.
  const done = all([ref, all(made.map(({ id }) => id))]).apply(([known]) => known);
  const readWhenDone = <T>(from: CustomResource, property: string): Output<T> =>
    all([getOutput<T>(from, property), done]).apply(([value]) => value as T);
  const apiUrl = readWhenDone<string | undefined>(branch, "apiUrl");
  const shown = {
    pullRequest: args.pullRequest,
    gitBranch: args.gitBranch,
    branchName,
    ref: done,
    apiUrl,
    latestMigration: schema[0] === undefined ? undefined : getOutput<string>(schema[0], "latestVersion"),
    functions: deployed === undefined ? undefined : getOutput<string[]>(deployed, "names"),
    ttlHours,
  };
  return {
    ref: done,
    branchName,
    apiUrl,
    connectionString: readWhenDone(branch, "connectionString"),
    pooledConnectionString: readWhenDone(branch, "pooledConnectionString"),
    sessionConnectionString: readWhenDone(branch, "sessionConnectionString"),
    publishableKey: readWhenDone(branch, "publishableKey"),
    secretKey: readWhenDone(branch, "secretKey"),
    summary: output(shown).apply(formatSummary),
  };
}

/** Each secret is a resource of its own, which a preview has to list. */
function requireKnownNames(
  name: string,
  secrets: Composition<PreviewInputs>["args"]["vaultSecrets"],
): Inputs {
  if (secrets === undefined) return {};
  if (Output.isInstance(secrets) || secrets instanceof Promise)
    throw new Error(
      `The PreviewEnvironment ${name} cannot be created:\n- vaultSecrets: its names must be known when the program runs. Pass a map; its values may be outputs`,
    );
  return secrets;
}

function toBranchArgs(args: Composition<PreviewInputs>["args"], branchName: Output<string>): Inputs {
  const { parentProjectRef, pullRequest, gitBranch, instanceSize, withData, withKeys, ttlHours, timeouts } =
    args;
  return {
    projectRef: parentProjectRef,
    name: branchName,
    gitBranch,
    pullRequest,
    persistent: false,
    ...pickGiven({ instanceSize, timeouts }),
    withData: withData ?? false,
    // In the call that makes the branch, so that no killed run leaves one that lasts for ever.
    ...(ttlHours === undefined ? {} : { secrets: { [TTL_SECRET]: output(ttlHours).apply(String) } }),
    withKeys: withKeys ?? true,
    withPooler: true,
    // What a run on a machine that is gone left of this very preview; all else is refused.
    adopt: true,
  };
}

/** Unknown until the branch is made, and never a reference of anything but that branch. */
function ownRefOf(
  branch: CustomResource,
  branchName: Output<string>,
  { parentProjectRef, pullRequest, gitBranch }: Composition<PreviewInputs>["args"],
): Output<string> {
  const declared = output({ name: branchName, parentRef: parentProjectRef, pullRequest, gitBranch });
  const told = output({
    ref: getOutput<string | undefined>(branch, "ref"),
    name: getOutput<string | undefined>(branch, "name"),
    parentRef: getOutput<string | undefined>(branch, "parentProjectRef"),
    isDefault: getOutput<boolean | undefined>(branch, "isDefault"),
    persistent: getOutput<boolean | undefined>(branch, "persistent"),
    gitBranch: getOutput<string | undefined>(branch, "gitBranch"),
    // Most branches have no `prNumber`, and what has no value is unknown in a preview. `Branch` compares it.
    pullRequest: undefined,
  });
  return all([declared, told]).apply(async ([purpose, made]) => {
    const redactor = new Redactor();
    if (await isSecret(declared)) {
      for (const text of [purpose.name, purpose.parentRef, purpose.gitBranch]) redactor.add(text);
    }
    return requireOwnBranch(purpose, made, (text) => redactor.redact(text));
  });
}

/** The arguments that are given, with others for this case; undefined where none is. */
function pickGiven(args: Inputs, more: Inputs = {}): Inputs | undefined {
  const some = Object.entries(args).filter(([, value]) => value !== undefined);
  return some.length === 0 ? undefined : { ...Object.fromEntries(some), ...more };
}

/** Whether a resource is made has to be known when the program runs. */
function isTrue(name: string, input: Readonly<Record<string, Input<boolean> | undefined>>): boolean {
  const [[key, value] = []] = Object.entries(input);
  if (Output.isInstance(value) || value instanceof Promise)
    throw new Error(
      `The PreviewEnvironment ${name} cannot be created:\n- ${key ?? ""}: it must be known when the program runs. Pass true or false, no output`,
    );
  return value === true;
}

type PreviewScripts = NonNullable<Composition<PreviewInputs>["args"]["seed" | "setup"]>;

/** An input that takes SQL files. */
export type ScriptInput = "seed" | "setup";

/** Each file may be known later; how many there are is known now. */
function listScriptFiles(input: ScriptInput, files: PreviewScripts | undefined): readonly Input<string>[] {
  if (files === undefined) return [];
  if (Array.isArray(files)) return files;
  return [output(files).apply((file) => requireOneFile(input, file))];
}

function requireOneFile(input: ScriptInput, file: string | readonly string[]): string {
  if (typeof file === "string") return file;
  throw new Error(
    `${input}: a list must be known when the program runs. Pass a list; its files may be outputs.`,
  );
}

/** The text of a file that can be run. */
export function readScript(
  input: ScriptInput,
  file: string,
  isHidden: boolean,
  transaction?: boolean,
): string {
  const text = readText(input, file, isHidden);
  const sourceFile = isHidden ? undefined : file;
  const [failure] = checkQuery({ query: text, sourceFile, transaction });
  if (failure !== undefined) throw new Error(`${input}: ${failure.reason}`);
  return text;
}

function readText(input: ScriptInput, file: string, isHidden: boolean): string {
  const read = (): string => readNamedFile(file).toString("utf8");
  const advice = "Pass the path of an SQL file, relative to the program's folder.";
  if (isHidden) {
    const text = tryOrUndefined(read);
    // What is thrown names the path.
    if (text === undefined) throw new Error(`${input}: the file cannot be read. ${advice}`);
    return text;
  }
  try {
    return read();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${input}: the file ${file} cannot be read (${why}). ${advice}`, { cause: error });
  }
}

/** The branch's reference. Throws where it may stand for production, or for another preview. */
export function requireOwnBranch(
  purpose: PreviewPurpose,
  made: BranchFacts,
  redact: (text: string) => string = (text) => text,
): string {
  const why = explainNotPreview(made, purpose);
  if (why === undefined && made.ref !== undefined) return made.ref;
  const branch = made.ref === undefined || made.ref === "" ? "its branch" : `the branch ${made.ref}`;
  const stopped =
    `The preview ${purpose.name} of the project ${purpose.parentRef} failed at ${branch}: ${why ?? ""}. Nothing in it was created, and its outputs have no value. ` +
    "Check the branch in the service's console. A preview needs its own branch, neither default nor persistent.";
  throw new Error(toPrintable(redact(stopped)));
}

/** What a comment on the pull request shows; none of it is secret. */
export interface PreviewSummary {
  readonly pullRequest: number;
  readonly gitBranch: string;
  readonly branchName: string;
  readonly ref: string;
  readonly apiUrl: string | undefined;
  readonly latestMigration: string | undefined;
  readonly functions: readonly string[] | undefined;
  readonly ttlHours: number | undefined;
}

/** An address that has no meaning in Markdown but itself. */
const PLAIN_URL = /^https:\/\/[A-Za-z0-9.-]+(?::\d+)?\/?$/;

/** A heading and a table in Markdown. */
export function formatSummary(shown: PreviewSummary): string {
  const { pullRequest, gitBranch, branchName, ref, apiUrl, latestMigration, functions, ttlHours } = shown;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["Branch", `${formatCode(branchName)} (${formatCode(ref)})`],
    ["Git branch", formatCode(gitBranch)],
    ["API", apiUrl === undefined || PLAIN_URL.test(apiUrl) ? apiUrl : formatCode(apiUrl)],
    ["Latest migration", latestMigration === undefined ? undefined : formatCode(latestMigration)],
    ["Edge functions", functions?.map((name) => formatCode(name)).join(", ")],
    ["Lasts", ttlHours === undefined ? "until the pull request is closed" : `at most ${ttlHours} hours`],
  ];
  const lines = rows.flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`| ${name} | ${value} |`],
  );
  return [`### Preview of pull request ${pullRequest}`, "", "| | |", "| --- | --- |", ...lines, ""].join(
    "\n",
  );
}

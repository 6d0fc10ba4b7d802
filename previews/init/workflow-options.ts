import { posix } from "node:path";
import { quoteForShell } from "../../spec/shown-text";

/** `other` has no workflows of ours: its CI runs the commands. */
export type ForgeName = "github" | "gitlab" | "other";

/** What of the workflows a repository chooses. */
export interface WorkflowOptions {
  /** The project that the branches are made from; without it, the jobs have it from a variable. */
  readonly parent?: string | undefined;
  /** The name of the program's project, where it is known. */
  readonly pulumiProject?: string | undefined;
  /** Where the states are. */
  readonly backend?: string | undefined;
  /** Where the service is; without it, the jobs have it from a variable. */
  readonly baseUrl?: string | undefined;
  /** The file for the front end, as seen from the repository or the folder of the application. */
  readonly dotenv?: string | undefined;
  /** What the names of its variables begin with. */
  readonly envPrefix?: string | undefined;
  /** Whether a draft has a preview. */
  readonly drafts?: boolean | undefined;
  /** Whether production is changed only by a run of the workflow that somebody starts. */
  readonly byHand?: boolean | undefined;
  /** The folder of one of several applications of a repository. */
  readonly app?: string | undefined;
  /** What removals may run beside the packages of the lock file, as `--allow-package` takes it. */
  readonly allowPackages?: readonly string[] | undefined;
}

/** The variables by which the CLI gets into each kind of backend: secret ones, and others. */
const BACKEND_VARIABLES: Readonly<
  Record<string, { readonly secrets: readonly string[]; readonly vars: readonly string[] }>
> = {
  "s3:": { secrets: ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"], vars: ["AWS_REGION"] },
  "gs:": { secrets: ["GOOGLE_CREDENTIALS"], vars: [] },
  "azblob:": { secrets: ["AZURE_STORAGE_KEY"], vars: ["AZURE_STORAGE_ACCOUNT"] },
  "postgres:": { secrets: [], vars: [] },
  "https:": { secrets: [], vars: [] },
};

/** What has to be set for a backend; undefined where no job can reach it. */
export function findBackendVariables(backend: string) {
  return URL.canParse(backend) ? BACKEND_VARIABLES[new URL(backend).protocol] : undefined;
}

/** Pulumi Cloud, or a server of one's own that does as it does: the only kind that takes `PULUMI_ACCESS_TOKEN`. */
export function isOfPulumi(backend: string): boolean {
  return backend.startsWith("https:");
}

/** The name of an application: what its workflows, its stacks and its comment are told apart by. */
export function toAppName(app: string): string {
  return posix
    .basename(app)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, "-")
    .replaceAll(/^[^a-z]+|-+$/g, "");
}

/** A workflow of the example as these options want it. */
export function insertOptions(text: string, forge: ForgeName, options: WorkflowOptions): string {
  const {
    parent,
    backend,
    baseUrl,
    dotenv,
    drafts = true,
    byHand = false,
    app,
    pulumiProject,
    allowPackages = [],
  } = options;
  let all = parent === undefined ? text : insertParent(text, parent);
  all = all.replaceAll(COMMAND, formatProjectOption(pulumiProject));
  if (backend !== undefined) all = (forge === "github" ? insertBackend : insertExports)(all, backend);
  if (baseUrl !== undefined) all = insertBaseUrl(all, baseUrl);
  if (dotenv !== undefined) all = insertEnvFile(all, forge, options);
  if (!drafts) all = excludeDrafts(all, forge);
  if (byHand && forge === "github") all = insertManualStart(all);
  all = all.replaceAll(COMMAND, formatAllowOptions(allowPackages));
  return app === undefined ? all : insertApp(all, forge, app);
}

/** No secret, and another one for each application. */
function insertParent(text: string, parent: string): string {
  return text.replaceAll(COMMAND, ` --project ${parent}`).replaceAll(/^ *PARENT_PROJECT_REF: .*\n/gm, "");
}

/** Each step that has the address of the backend gets its keys. On GitLab, every job has them anyway. */
function insertBackend(text: string, backend: string): string {
  const { secrets = [], vars = [] } = findBackendVariables(backend) ?? {};
  const added = [
    ...secrets.map((name) => `${name}: \${{ secrets.${name} }}`),
    ...vars.map((name) => `${name}: \${{ vars.${name} }}`),
  ];
  const all = text.replaceAll(/^( *(?:# +)?)PULUMI_BACKEND_URL: .*$/gm, (line, indent: string) =>
    [line, ...added.map((each) => indent + each)].join("\n"),
  );
  return isOfPulumi(backend) ? all : all.replaceAll(/^ *PULUMI_ACCESS_TOKEN: .*\n/gm, "");
}

/** In a job of the main branch on GitLab, which takes nothing else by the names of previews. */
function insertExports(text: string, backend: string): string {
  const { secrets = [], vars = [] } = findBackendVariables(backend) ?? {};
  const added = [...secrets, ...vars].map(
    (name) => `    - export ${name}="\${MAIN_${name}:?is not set for this environment}"\n`,
  );
  const all = text.replace(/^ {4}- export PULUMI_BACKEND_URL=.*\n/m, (line) => line + added.join(""));
  return isOfPulumi(backend)
    ? all
    : all
        .replace(/^ {4}- ': "\$\{MAIN_PULUMI_CONFIG_PASSPHRASE:-.*\n/m, "")
        .replace(
          /"\$\{MAIN_PULUMI_CONFIG_PASSPHRASE-\}" PULUMI_ACCESS_TOKEN=.*/,
          () => `"\${MAIN_PULUMI_CONFIG_PASSPHRASE:?is not set for this environment}" PULUMI_ACCESS_TOKEN=""`,
        );
}

/** In the file, where each change of it is reviewed. */
function insertBaseUrl(text: string, baseUrl: string): string {
  return text.replaceAll(
    /\$\{\{ vars\.(?:MAIN_)?MANAGEMENT_BASE_URL \}\}|"\$\{MAIN_MANAGEMENT_BASE_URL:\?[^"]*"/g,
    () => baseUrl,
  );
}

export function formatProjectOption(pulumiProject: string | undefined): string {
  return pulumiProject === undefined ? "" : ` --pulumi-project ${pulumiProject}`;
}

export function formatAllowOptions(names: readonly string[]): string {
  return names.map((name) => ` --allow-package ${name}`).join("");
}

/** A path as a shell takes it, without quotes where it needs none. */
export function toShellWord(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : quoteForShell(path);
}

/** What keeps the previews of several applications apart. */
export function formatPrefixOption(app: string): string {
  return ` --prefix ${toAppName(app)}-pr-`;
}

/** The one command of a job. */
const COMMAND = /(?<=management-previews ci)\b/g;

/** The command writes the file. On GitLab, a job that needs this one finds it. */
function insertEnvFile(
  text: string,
  forge: ForgeName,
  { dotenv = "", envPrefix = "VITE_" }: WorkflowOptions,
) {
  const all = text.replaceAll(COMMAND, ` --env-prefix ${envPrefix} --dotenv ../${dotenv}`);
  const artifact = `  artifacts: { paths: [${dotenv}], expire_in: 1 day }\n`;
  return forge === "github" ? all : all.replace(/^preview:\n {2}extends: .*\n/m, (line) => line + artifact);
}

function excludeDrafts(text: string, forge: ForgeName): string {
  const all = text.replaceAll(COMMAND, " --no-drafts");
  if (forge === "github")
    return all
      .replace("synchronize, closed, labeled]", "synchronize, closed, labeled, ready_for_review]")
      .replace(
        "(github.event.action != 'labeled' ||",
        "(github.event.action == 'closed' || !github.event.pull_request.draft) &&\n      (github.event.action != 'labeled' ||",
      );
  // One that becomes a draft again keeps the job that removes its preview.
  const [, condition = ""] = OF_OWN_PROJECT.exec(all) ?? [];
  return all
    .replace(OF_OWN_PROJECT, () => `- if: ${condition} && $CI_MERGE_REQUEST_DRAFT != "true"`)
    .replace("[{ if: *own, when: manual, allow_failure: true }]", () =>
      ["", `    - if: ${condition}`, "      when: manual", "      allow_failure: true"].join("\n"),
    )
    .replaceAll(/ +$/gm, "");
}

/** The rule of a merge request, which the job that removes its preview repeats. */
const OF_OWN_PROJECT = /- if: &own (.*)$/m;

/** Where an environment has no reviewers. On GitLab, the job is manual. */
function insertManualStart(text: string): string {
  return text
    .replace("once somebody has approved it.", "where somebody starts the run by hand.")
    .replace(
      /^ {2}# Waits for the approval .*\n {2}production:\n/m,
      "  # For a run that somebody starts. Allow its environment for the branch `main` alone.\n" +
        "  production:\n    if: github.event_name == 'workflow_dispatch'\n",
    )
    .replace("# The approval may have taken days:", "# The plan may have taken a while:")
    .replace("approve its run.", "start the workflow again.");
}

/** Apart from those of other applications: names, folders, and the changes that it is for. */
function insertApp(text: string, forge: ForgeName, app: string): string {
  const name = toAppName(app);
  const commands = text
    .replaceAll(COMMAND, `${formatPrefixOption(app)} --topic ${name}`)
    .replaceAll(/(?<=management-previews comment)(?= --failed)/g, ` --topic ${name}`);
  if (forge === "github") {
    const paths = `, paths: ["${app}/**", .github/workflows/preview-${name}.yml] }`;
    return commands
      .replace(/^name: (.*)$/m, `name: $1 of ${name}`)
      .replace(/(?<=^ {2}pull_request: \{ types: .*\]) \}$/m, paths)
      .replace(/(?<=^concurrency: preview-)/m, `${name}-`)
      .replaceAll(/(?<=working-directory: )preview\b/g, `${app}/preview`);
  }
  const changes = `changes: ["${app}/**/*"]`;
  return commands
    .replaceAll(/^\.previews:$/gm, `.previews of ${name}:`)
    .replaceAll(/(?<=extends: \.previews)$/gm, ` of ${name}`)
    .replaceAll(/^(preview|remove preview|sweep previews):$/gm, `$1 of ${name}:`)
    .replaceAll(/(?<=on_stop: remove preview)/gm, ` of ${name}`)
    .replaceAll(/(?<=resource_group: preview-)/g, `${name}-`)
    .replaceAll(/(?<=name: preview)(?=\/)/g, `-${name}`)
    .replace(/(?<=paths: \[)(?=[^"])/, `${app}/`)
    .replaceAll(
      /^ {4}- if: .*\$CI_MERGE_REQUEST_SOURCE_PROJECT_ID .*$/gm,
      (line) => `${line}\n      ${changes}`,
    )
    .replaceAll(/(?<=if: \*own,)/g, ` ${changes},`)
    .replaceAll(/(?<=\bcd )preview\b|(?<=-x )preview(?=\/)/g, () => toShellWord(`${app}/preview`));
}

import { posix } from "node:path";

/** `other` has no workflows of ours: its CI runs the commands. */
export type ForgeName = "github" | "gitlab" | "other";

/** What of the workflows a repository chooses. */
export interface WorkflowOptions {
  /** Where the states are. */
  readonly backend?: string | undefined;
  /** The file for the front end, as seen from the repository or the folder of the application. */
  readonly envFile?: string | undefined;
  /** What the names of its variables begin with. */
  readonly envPrefix?: string | undefined;
  /** Whether a draft has a preview. */
  readonly drafts?: boolean | undefined;
  /** The folder of one of several applications of a repository. */
  readonly app?: string | undefined;
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
export function backendVariables(backend: string) {
  return URL.canParse(backend) ? BACKEND_VARIABLES[new URL(backend).protocol] : undefined;
}

/** The name of an application: what its workflows, its stacks and its comment are told apart by. */
export function appName(app: string): string {
  return posix
    .basename(app)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, "-")
    .replaceAll(/^[^a-z]+|-+$/g, "");
}

/** A workflow of the example as these options want it. */
export function withOptions(text: string, forge: ForgeName, options: WorkflowOptions): string {
  const { backend, envFile, drafts = true, app } = options;
  let all = text;
  if (backend !== undefined && forge === "github") all = withBackend(all, backend);
  if (envFile !== undefined) all = withEnvStep(all, forge, options);
  if (!drafts) all = withoutDrafts(all, forge);
  return app === undefined ? all : ofApp(all, forge, app);
}

/** Each step that has the address of the backend gets its keys. On GitLab, every job has them anyway. */
function withBackend(text: string, backend: string): string {
  const { secrets = [], vars = [] } = backendVariables(backend) ?? {};
  const added = [
    ...secrets.map((name) => `${name}: \${{ secrets.${name} }}`),
    ...vars.map((name) => `${name}: \${{ vars.${name} }}`),
  ];
  return text.replaceAll(/^( *(?:# +)?)PULUMI_BACKEND_URL: .*$/gm, (line, indent: string) =>
    [line, ...added.map((each) => indent + each)].join("\n"),
  );
}

/** The step that the workflow has as a comment, and what it needs. */
function withEnvStep(text: string, forge: ForgeName, { envFile = "", envPrefix = "VITE_" }: WorkflowOptions) {
  const step =
    forge === "github"
      ? /^ *# - name: Write the \.env file[^]*?\n(?=\n)/m
      : /^ *# - npx --no -- management-previews env .*$|^ *# artifacts:\n(?: *# .*\n)*? *#.*expire_in.*$/gm;
  return text.replace(step, (found) =>
    found
      .replaceAll(/^( *)# /gm, "$1")
      .replace("--prefix VITE_", `--prefix ${envPrefix}`)
      .replace("../.env.production.local", `../${envFile}`)
      .replace(".env.production.local", envFile),
  );
}

function withoutDrafts(text: string, forge: ForgeName): string {
  return forge === "github"
    ? text
        .replace("synchronize, closed, labeled]", "synchronize, closed, labeled, ready_for_review]")
        .replace(
          "      github.event.action != 'closed' &&\n",
          "      github.event.action != 'closed' &&\n      !github.event.pull_request.draft &&\n",
        )
    : text.replaceAll(
        '$CI_MERGE_REQUEST_EVENT_TYPE != "merge_train"',
        '$CI_MERGE_REQUEST_EVENT_TYPE != "merge_train" && $CI_MERGE_REQUEST_DRAFT != "true"',
      );
}

/** Apart from those of other applications: names, folders, and the changes that it is for. */
function ofApp(text: string, forge: ForgeName, app: string): string {
  const name = appName(app);
  const prefix = `${name}-pr-`;
  const commands = text
    .replaceAll(
      /(?<=management-previews (?:name|run|remove|sweep) --project "\$PARENT_PROJECT_REF")/g,
      ` --prefix ${prefix}`,
    )
    .replaceAll(/--unlock-ended-runs/g, `--unlock-ended-runs --topic ${name}`)
    .replaceAll(/(?<=(?:management-previews|\$command) comment --number "\$\w+")/g, ` --topic ${name}`)
    .replaceAll(/(?<=--config "repository=\$\w+")/g, ` --config "namePrefix=${prefix}"`);
  if (forge === "github") {
    const paths = `    paths: ["${app}/**", .github/workflows/preview-${name}.yml]\n`;
    return commands
      .replace(/^name: (.*)$/m, `name: $1 of ${name}`)
      .replace(/^ {4}types: .*\n/m, (line) => line + paths)
      .replace(/(?<=group: preview-)/, `${name}-`)
      .replaceAll(/(?<=working-directory: |cache-dependency-path: )preview\b/g, `${app}/preview`);
  }
  return commands
    .replaceAll(/^(preview|remove preview|sweep previews):$/gm, `$1 of ${name}:`)
    .replaceAll(/(?<=on_stop: remove preview)$/gm, ` of ${name}`)
    .replaceAll(/(?<=resource_group: preview-)/g, `${name}-`)
    .replaceAll(/(?<=name: preview)(?=\/)/g, `-${name}`)
    .replace(/(?<=paths: \[)(?=[^"])/, `${app}/`)
    .replaceAll(
      /^ {4}- if: \$CI_PIPELINE_SOURCE == "merge_request_event".*$/gm,
      (line) => `${line}\n      changes: ["${app}/**/*"]`,
    )
    .replaceAll(/(?<=- cd (?:"\$folder\/)?)preview\b/g, `${app}/preview`);
}

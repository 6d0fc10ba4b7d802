import { Document } from "yaml";
import { formatCode, formatProse, formatTable } from "../provider/core/markdown";
import { escapeHidden, quoteText } from "../spec/shown-text";
import type { Inventory, LeftOut } from "./inventory";
import type { ProgramResource, Program } from "./model";
import { isSet } from "./sets";

export const LANGUAGES = ["typescript", "yaml", "python"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Where the engine finds the plugin, seen from the program's folder. */
export const PLUGIN = "node_modules/pulumi-management/dist/plugin";

/** The folder of the SDK for Python, into which the engine generates it. */
export const PYTHON_SDK = "sdks/python";

/** The virtual environment of a program in Python. */
export const VIRTUAL_ENVIRONMENT = "venv";

/** What the folder of a program needs beside the program. */
export function createSupportFiles(
  program: Program,
  language: Language,
  requirement: string,
): Record<string, string> {
  const files: Record<string, string> = {
    "import.json": formatImportFile(program.resources),
    ".gitignore": `node_modules/\n.env\n${language === "python" ? `${VIRTUAL_ENVIRONMENT}/\n__pycache__/\n` : ""}`,
  };
  const dependencies = { "pulumi-management": requirement };
  const formatManifest = (more: object): string =>
    `${JSON.stringify({ name: program.name, private: true, ...more }, undefined, 2)}\n`;
  if (language === "typescript") {
    files["Pulumi.yaml"] = formatProjectFile({ name: program.name, runtime: "nodejs" });
    files["package.json"] = formatManifest({
      main: "index.ts",
      dependencies: { "@pulumi/pulumi": "^3.250.0", ...dependencies },
      devDependencies: { "@types/node": "^24.0.0", typescript: "^5.9.0" },
    });
    const compilerOptions = {
      strict: true,
      target: "es2022",
      module: "node16",
      moduleResolution: "node16",
      skipLibCheck: true,
    };
    files["tsconfig.json"] = `${JSON.stringify({ compilerOptions, files: ["index.ts"] }, undefined, 2)}\n`;
  } else {
    files["package.json"] = formatManifest({ dependencies });
  }
  if (language === "python") {
    files["Pulumi.yaml"] = formatProjectFile({
      name: program.name,
      runtime: { name: "python", options: { toolchain: "pip", virtualenv: VIRTUAL_ENVIRONMENT } },
      plugins: { providers: [{ name: "management", path: PLUGIN }] },
    });
    files["requirements.txt"] = `pulumi>=3.250.0,<4.0.0\n./${PYTHON_SDK}\n`;
  }
  return files;
}

/** A name that either version of YAML takes for something else than a text, such as `no`, stands in quotes. */
function formatProjectFile(project: object): string {
  return new Document(project, { compat: "yaml-1.1" }).toString();
}

/** What `pulumi import --file` takes. */
export function formatImportFile(resources: readonly ProgramResource[]): string {
  const entries = resources
    .filter(({ type, comment }) => comment === undefined && !isSet(type))
    .map(({ type, name, importId }) => ({ type: `management:index:${type}`, name, id: importId }));
  const lines = JSON.stringify({ resources: entries }, undefined, 2).split("\n");
  // JSON leaves characters as they are that hide others, and the names of buckets and vault secrets can have any.
  return `${lines.map((line) => escapeHidden(line)).join("\n")}\n`;
}

/** The variables with which the program is run; no value of any secret. */
export function formatEnvExample({ secrets }: Inventory): string {
  return [
    "# Copy to .env, fill in, and keep it out of the repository.",
    "MANAGEMENT_BASE_URL=",
    "MANAGEMENT_ACCESS_TOKEN=",
    "# The passphrase of the stack, unless its state is in Pulumi Cloud:",
    "# PULUMI_CONFIG_PASSPHRASE=",
    ...(secrets.length === 0
      ? []
      : ["", "# Secrets of the edge functions; the service does not show their values."]),
    ...secrets.map(({ name }) => {
      const why = explainNoVariable(name);
      return why === undefined ? `${name}=` : `# ${quoteText(name)} is not listed, as ${why}.`;
    }),
    "",
  ].join("\n");
}

/** Variables by which a shell, the engine or what they run decides what to do, as whom, or where to send a token: an empty line would unset them. */
const OF_TOOLS = new RegExp(
  [
    "^(?:AWS|AZURE|ARM|GOOGLE|CLOUDSDK|VAULT)_|^(?:GITHUB|GITLAB)_TOKEN$|^PG[A-Z]+$",
    "^(?:MANAGEMENT|PULUMI|LD|DYLD|NODE|NPM|npm|PIP|BASH|GIT|SSH|SSL_CERT|XDG|LC|PS)_",
    "^(?:PYTHON[A-Z]+|PS[0-4]|[A-Za-z]+_(?:proxy|PROXY))$",
    "^(?:PATH|HOME|SHELL|ENV|IFS|CDPATH|FPATH|ZDOTDIR|GLOBIGNORE|SHELLOPTS|PROMPT_COMMAND|OPTIND|TMPDIR)$",
    "^(?:USER|UID|EUID|PPID|RANDOM|SECONDS|LINENO|EDITOR|VISUAL|PAGER|BROWSER|TERM|LANG|GOFLAGS|GOPROXY)$",
  ].join("|"),
);

/** Why no line of a file that a shell sources can have a name; undefined where it can. */
function explainNoVariable(name: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return "no variable can have its name";
  return OF_TOOLS.test(name) ? "the shell or a tool acts on a variable of its name" : undefined;
}

const PREVIEW = [
  "cp .env.example .env   # then fill it in",
  "set -a && . ./.env && set +a",
  "pulumi preview",
];

/** What a new user runs in the folder. */
const RUN: Readonly<Record<Language, readonly string[]>> = {
  typescript: ["npm install", ...PREVIEW],
  yaml: ["npm install", ...PREVIEW],
  python: [
    "npm install   # the plugin",
    `python3 -m venv ${VIRTUAL_ENVIRONMENT} && ${VIRTUAL_ENVIRONMENT}/bin/pip install -r requirements.txt`,
    ...PREVIEW,
  ],
};

/** How the program is run, what was taken over, what was not, and why. */
export function formatReadme(
  program: Program,
  inventory: Inventory,
  {
    language,
    notes,
    notImported,
  }: {
    readonly language: Language;
    readonly notes: readonly string[];
    readonly notImported: readonly LeftOut[];
  },
): string {
  const declared = program.resources.filter(({ comment }) => comment === undefined);
  const problems = [...inventory.failed, ...notImported];
  return `${[
    `# ${program.name}`,
    `The project ${formatCode(inventory.projectRef)} as a Pulumi program, written by \`management-import\`. ` +
      "Nothing on the service was changed. Each resource has the option `protect`, with which Pulumi refuses to delete it. Remove the option where Pulumi may delete. A project also has to declare `deletionProtection: false`, and `pulumi up` has to run, before Pulumi deletes it.",
    formatSection("Run", `\`\`\`sh\n${RUN[language].join("\n")}\n\`\`\``),
    formatSection(
      "Taken over",
      formatDocumentTable(
        ["Resource", "Type", "Import ID"],
        declared.map(({ name, type, importId }) => [name, type, importId]),
      ),
    ),
    formatSection(
      "Secrets of edge functions",
      inventory.secrets.length === 0
        ? ""
        : formatDocumentTable(
            ["Secret", "Value in the given file", "In the program"],
            inventory.secrets.map(({ name, compared, isInSet }) => [
              name,
              compared,
              isInSet === true ? "in the set" : compared === "equal" ? "declared" : "commented out",
            ]),
          ),
    ),
    formatSection(
      "Left out",
      formatDocumentTable(
        ["Type", "Object", "Why"],
        [
          ...[...inventory.leftOut, ...inventory.omitted].map(({ type, label, why }) => [type, label, why]),
          [
            "what is in branches",
            "",
            "a branch has its own settings; to manage it, import it by its reference",
          ],
        ],
      ),
    ),
    formatSection(
      "Not possible",
      formatDocumentTable(
        ["Type", "Object", "Why"],
        problems.map(({ type, label, why }) => [type, label, why]),
      ),
    ),
    formatSection(
      "Choices",
      inventory.choices
        .filter(({ instead }) => instead.length > 0)
        .map(
          ({ of, taken, instead, why }) =>
            `- ${of}: \`${taken}\`, because ${why}. \`--choose ${instead.join("` or `--choose ")}\` changes it.\n`,
        )
        .join(""),
    ),
    formatSection("Notes", notes.map((note) => `- ${formatProse(note)}\n`).join("")),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .trimEnd()}\n`;
}

function formatSection(title: string, text: string): string {
  return text === "" ? "" : `## ${title}\n\n${text.trimEnd()}`;
}

/** Of what others named, in sentences of ours. */
function formatDocumentTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return rows.length === 0
    ? ""
    : formatTable(
        head,
        rows.map((cells) => cells.map(formatProse)),
      );
}

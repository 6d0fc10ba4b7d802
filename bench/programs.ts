/** How a stack of `size` resources is made up: some functions and API keys, the rest secrets. */
export interface Mixture {
  readonly functions: number;
  readonly apiKeys: number;
  readonly secrets: number;
}

export function mixtureOf(size: number): Mixture {
  const projects = projectsOf(size);
  const functions = Math.min(30 * projects, Math.floor(size / 3));
  const apiKeys = Math.min(10 * projects, Math.floor(size / 3));
  return { functions, apiKeys, secrets: size - functions - apiKeys };
}

/** How many projects the stack is in: the service stores 100 secrets in one. */
export function projectsOf(size: number): number {
  return Math.ceil(size / 100);
}

/** What tells a program in which projects it works, with commas between. */
export const PROJECTS_VARIABLE = "BENCH_PROJECT_REFS";

const REF_OF = `
const projectRefs = process.env.${PROJECTS_VARIABLE}.split(",");
const refOf = (i) => projectRefs[i % projectRefs.length];
`;

const EXISTING_PROJECTS = `
const management = require("pulumi-management");
${REF_OF}`;

const PROJECT = `
const management = require("pulumi-management");
const project = new management.Project("app", { name: "bench", organizationSlug: "acme", dbPass: "bench-password", region: "eu-central-1" });
const projectRef = project.ref;
const refOf = () => projectRef;
`;

const many = (count: number, declaration: string): string =>
  `for (let i = 0; i < ${count}; i += 1) {\n${declaration}\n}\n`;

/** A program of this provider's resources, in projects that exist already. */
export function managementProgram(size: number): string {
  return EXISTING_PROJECTS + declarationsOf(mixtureOf(size));
}

/** The work that is compared with that of other tools. */
export function workProgram(): string {
  return PROJECT + declarationsOf({ functions: 50, apiKeys: 50, secrets: 100 });
}

function declarationsOf({ functions, apiKeys, secrets }: Mixture): string {
  return [
    many(
      functions,
      `  new management.EdgeFunction("function-" + i, { projectRef: refOf(i), slug: "function-" + i, files: { "index.ts": "Deno.serve(() => new Response('" + i + "'));" } });`,
    ),
    many(
      apiKeys,
      `  new management.ApiKey("key-" + i, { projectRef: refOf(i), type: "publishable", name: "key_number_" + i });`,
    ),
    many(
      secrets,
      `  new management.Secret("secret-" + i, { projectRef: refOf(i), name: "SECRET_" + i, value: "value number " + i });`,
    ),
  ].join("");
}

/** How a program makes the folder of a set of `count` things and declares it. */
const SETS = {
  functions: (count: number) =>
    `${many(count, `  write("functions/function-" + i + "/index.ts", "Deno.serve(() => new Response('" + i + "'));");`)}
new management.FunctionSet("functions", { projectRef, sourceDir: "functions" });
`,
  secrets: (count: number) =>
    `const secrets = Object.fromEntries(Array.from({ length: ${count} }, (_, i) => ["SECRET_" + i, "value number " + i]));
new management.SecretSet("secrets", { projectRef, secrets });
`,
  migrations: (count: number) =>
    `${many(count, `  write("migrations/" + (20260101000000 + i) + "_table_" + i + ".sql", "create table table_" + i + " (id bigint primary key);");`)}
new management.MigrationSet("migrations", { projectRef, directory: "migrations" });
`,
};

/** A program of one set. */
export function setProgram(set: keyof typeof SETS, count: number): string {
  return `${PROJECT}
const { mkdirSync, writeFileSync } = require("node:fs");
const { dirname } = require("node:path");
const write = (file, text) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
${SETS[set](count)}`;
}

/** The baseline: the same inputs, secrets and references, given to a dynamic provider that does nothing. */
export function noopProgram(size: number): string {
  const { functions, apiKeys, secrets } = mixtureOf(size);
  return `
const pulumi = require("@pulumi/pulumi");
const provider = {
  create: async (inputs) => ({ id: inputs.name, outs: inputs }),
  diff: async (id, olds, news) => ({ changes: Object.keys(news).some((key) => JSON.stringify(olds[key]) !== JSON.stringify(news[key])) }),
  read: async (id, props) => ({ id, props }),
};
class Noop extends pulumi.dynamic.Resource {
  constructor(name, args) {
    super(provider, name, args);
  }
}
${REF_OF}
for (let i = 0; i < ${functions}; i += 1) {
  new Noop("function-" + i, { projectRef: refOf(i), name: "function-" + i, files: { "index.ts": "Deno.serve(() => new Response('" + i + "'));" } });
}
for (let i = 0; i < ${apiKeys}; i += 1) {
  new Noop("key-" + i, { projectRef: refOf(i), type: "publishable", name: "key_number_" + i });
}
for (let i = 0; i < ${secrets}; i += 1) {
  new Noop("secret-" + i, { projectRef: refOf(i), name: "SECRET_" + i, value: pulumi.secret("value number " + i) });
}
`;
}

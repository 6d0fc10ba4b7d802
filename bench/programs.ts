/** How a stack of `size` resources is made up: one project, some functions and API keys, the rest secrets. */
export interface Mixture {
  readonly functions: number;
  readonly apiKeys: number;
  readonly secrets: number;
}

export function mixtureOf(size: number): Mixture {
  const functions = Math.min(30, Math.floor((size - 1) / 3));
  const apiKeys = Math.min(10, Math.floor((size - 1) / 3));
  return { functions, apiKeys, secrets: size - 1 - functions - apiKeys };
}

/** A program of this provider's resources. */
export function managementProgram(size: number): string {
  const { functions, apiKeys, secrets } = mixtureOf(size);
  return `
const management = require("pulumi-management");
const project = new management.Project("app", { name: "bench", organizationSlug: "acme", dbPass: "bench-password", region: "eu-central-1" });
const projectRef = project.ref;
for (let i = 0; i < ${functions}; i += 1) {
  new management.EdgeFunction("function-" + i, { projectRef, slug: "function-" + i, files: { "index.ts": "Deno.serve(() => new Response('" + i + "'));" } });
}
for (let i = 0; i < ${apiKeys}; i += 1) {
  new management.ApiKey("key-" + i, { projectRef, type: "publishable", name: "key_number_" + i });
}
for (let i = 0; i < ${secrets}; i += 1) {
  new management.Secret("secret-" + i, { projectRef, name: "SECRET_" + i, value: "value number " + i });
}
`;
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
const project = new Noop("app", { name: "bench", organizationSlug: "acme", dbPass: pulumi.secret("bench-password"), region: "eu-central-1" });
const projectRef = project.id;
for (let i = 0; i < ${functions}; i += 1) {
  new Noop("function-" + i, { projectRef, name: "function-" + i, files: { "index.ts": "Deno.serve(() => new Response('" + i + "'));" } });
}
for (let i = 0; i < ${apiKeys}; i += 1) {
  new Noop("key-" + i, { projectRef, type: "publishable", name: "key_number_" + i });
}
for (let i = 0; i < ${secrets}; i += 1) {
  new Noop("secret-" + i, { projectRef, name: "SECRET_" + i, value: pulumi.secret("value number " + i) });
}
`;
}

import { userIdOf } from "../../emulator/service/access/caller";
import { examples } from "../../tools/schema/examples/examples.generated";
import { ROOT_KEY } from "../../tools/schema/examples/whole-project";
import type { Declaration, Example, ExampleValue, ExampleValues } from "../../tools/schema/examples/example";
import { referenceIn } from "../../tools/schema/examples/references";
import { renderYaml } from "../../tools/schema/examples/render-yaml";
import { addExampleFiles } from "../tools/schema/example-files";
import { copyExample, LANGUAGES } from "./example";
import { expectWholeStory } from "./example-story";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { startYamlStack, type YamlStack } from "./plugin-stack";
import { expectSuccess, outputOf } from "./stack";

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);

test("the quickstart in YAML makes all nine resources and removes them again", async () => {
  const example = copyExample("quickstart-yaml");
  try {
    await expectWholeStory(example.projectDir);
  } finally {
    example.dispose();
  }
});

/** The example with a prefix before the names of what it declares and puts out; its settings keep theirs. */
function prefixed(prefix: string, { config = {}, declares, outputs = {} }: Example): Example {
  const own = (name: string): string => (name in config ? name : `${prefix}_${name}`);
  const textIn = (text: string): string => {
    const { name, property } = referenceIn(text) ?? {};
    return name === undefined ? text : `\${${[own(name), property].filter(Boolean).join(".")}}`;
  };
  const valueIn = (value: ExampleValue): ExampleValue => {
    if (typeof value === "string") return textIn(value);
    // `isArray` does not tell readonly arrays from objects for the compiler.
    if (Array.isArray(value)) return value.map(valueIn);
    return typeof value === "object" ? valuesIn(value as ExampleValues) : value;
  };
  const valuesIn = (values: ExampleValues): ExampleValues =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, valueIn(value)]));
  const declarationIn = (declaration: Declaration): Declaration =>
    "resource" in declaration
      ? {
          ...declaration,
          properties: { ...valuesIn(declaration.properties), ...projectIn(declaration) },
          ...(declaration.dependsOn && { dependsOn: declaration.dependsOn.map(own) }),
        }
      : { ...declaration, arguments: valuesIn(declaration.arguments) };
  // A project of its own: some of what the pages show, a project has once, or not beside one another.
  const ref = prefix.toLowerCase().padEnd(20, "x").slice(0, 20);
  const projectIn = ({ properties }: { readonly properties: ExampleValues }): ExampleValues =>
    properties["projectRef"] === "${projectRef}" ? { projectRef: ref } : {};
  return {
    config,
    declares: Object.fromEntries(
      Object.entries(declares).map(([name, one]) => [own(name), declarationIn(one)]),
    ),
    outputs: Object.fromEntries(Object.entries(outputs).map(([name, value]) => [own(name), textIn(value)])),
  };
}

/** The examples of all pages as one program: an engine for each would take a minute. */
function combined(): Example {
  const parts = Object.entries(examples).map(([name, example]) => prefixed(name, example));
  return {
    config: Object.fromEntries(parts.flatMap(({ config = {} }) => Object.entries(config))),
    declares: Object.fromEntries(parts.flatMap(({ declares }) => Object.entries(declares))),
    outputs: Object.fromEntries(parts.flatMap(({ outputs = {} }) => Object.entries(outputs))),
  };
}

/** The snippet and the webhook endpoint that examples name. */
const OBJECT_ID = "0f8fad5b-d9cb-469f-a165-70867728950e";

/** What the examples ask for: a project with a branch, a hostname and what functions read; returns its reference. */
async function prepareService({ emulator: { control } }: YamlStack): Promise<string> {
  const project = { name: "shop", organization_slug: "acme", db_pass: "initial-password" };
  const { ref } = control.call("createProject", { body: project });
  control.advance(10 * 60_000);
  control.call("createBranch", { ref, body: { branch_name: "checkout" } });
  control.call("applyAddon", { ref, body: { addon_type: "custom_domain", addon_variant: "cd_default" } });
  control.call("initializeCustomHostname", { ref, body: { custom_hostname: "db.example.com" } });
  const query = "create table users (id integer, email text)";
  await control.call("runQuery", { ref, body: { query } });
  control.call("createApiKey", { ref, body: { type: "secret", name: "backend" } });
  const metadata_url = "https://idp.example.com/metadata";
  control.call("createSsoProvider", { ref, body: { type: "saml", metadata_url, domains: ["example.com"] } });
  control.call("createThirdPartyAuth", { ref, body: { oidc_issuer_url: "https://idp.example.com" } });
  const file = [{ name: "index.ts", content: Buffer.from("export {};") }];
  control.call("deployFunction", {
    ref,
    slug: "hello",
    body: { metadata: { entrypoint_path: "index.ts" }, file },
  });
  control.call("updateJitAccess", { ref, body: { state: "enabled" } });
  const roles = [{ role: "postgres" }];
  control.call("updateJitUser", { ref, body: { user_id: userIdOf("owner"), roles } });
  const snippet = control.createSnippet({ projectRef: ref, name: "orders", sql: "select 1" });
  const url = "https://hooks.example.com/events";
  const signing_secret = "signing-secret-of-the-endpoint";
  const attributes = { url, event_types: [{ type: "*" as const }], signing_secret };
  const body = { data: { type: "endpoint" as const, attributes } };
  const { data: endpoint } = control.call("createProjectWebhookEndpoint", { ref, body });
  control.edit(({ projects, snippets }) => {
    const record = snippets.get(snippet);
    if (record !== undefined) snippets.set(OBJECT_ID, { ...record, id: OBJECT_ID, visibility: "project" });
    const endpoints = projects.get(ref)?.webhooks.endpoints;
    const listening = endpoints?.get(endpoint.id);
    if (listening !== undefined) endpoints?.set(OBJECT_ID, { ...listening, id: OBJECT_ID });
  });
  // The service as measured answers these for no project, and for a paused one only.
  const point = { name: "before-release", status: "AVAILABLE", completed_on: null };
  control.addFault({ operation: "getRestorePoint", status: 200, body: point, times: 10 });
  const versions = { available_versions: [] };
  control.addFault({ operation: "listRestoreVersions", status: 200, body: versions, times: 10 });
  control.advance(10 * 60_000);
  control.clearCalls();
  return ref;
}

/** Operations that read by a POST. */
const READING = ["runReadOnlyQuery", "listNetworkBansEnriched", "checkVanitySubdomain", "authorizeJitAccess"];

const MADE_BY_PREVIEW_ENVIRONMENT = [
  ...["Branch", "AuthConfig", "SecretSet", "MigrationSet", "SqlScript", "FunctionSet"],
];

test("the example of every page of the reference passes a preview", async () => {
  const [, , ...lines] = renderYaml(combined()).split("\n");
  const stack = await startYamlStack(lines.join("\n"));
  const { workspace, emulator } = stack;
  try {
    addExampleFiles(stack.projectDir);
    await workspace.config("projectRef", await prepareService(stack));
    const secrets = Object.entries(combined().config ?? {}).filter(([, kind]) => kind === "secret");
    // As long as the longest form of a secret asks for.
    for (const [name] of secrets) {
      const value = name === "rootKey" ? ROOT_KEY : `${name}-`.padEnd(43, "1");
      await workspace.config(name, value, { secret: true });
    }

    const preview = await workspace.preview();

    expectSuccess(preview);
    const resources = Object.values(combined().declares).filter((one) => "resource" in one);
    // The stack is one more, and what components make.
    const all = resources.length + 1 + MADE_BY_PREVIEW_ENVIRONMENT.length;
    expect({ text: outputOf(preview), ...preview.summary }).toMatchObject({ create: all });
    for (const type of MADE_BY_PREVIEW_ENVIRONMENT) {
      expect(outputOf(preview)).toMatch(new RegExp(`:${type} PreviewEnvironment_preview-\\w+ create`));
    }
    expect(outputOf(preview)).not.toMatch(/warning/i);
    const changing = emulator.control
      .calls()
      .filter(({ method, operation = "" }) => method !== "GET" && !READING.includes(operation));
    expect(changing).toEqual([]);
  } finally {
    await stack.dispose();
  }
});

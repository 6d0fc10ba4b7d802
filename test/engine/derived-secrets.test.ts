import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OperationResult } from "../../tools/engine/workspace";
import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { declare, startYamlStack, type YamlStack } from "./plugin-stack";
import { everythingShown, outputOf, PRELUDE, startStack, type Stack } from "./stack";

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);

const SECRET = "Zk7qWx2LmPv9RtY4";
const REF = "abcdefghijklmnopqrst";
const FORMS = [
  SECRET,
  Buffer.from(SECRET).toString("base64"),
  Buffer.from(`u:${SECRET}@db`).toString("base64"),
];

/** A type, its properties with a secret in wrong places, and the paths that the errors must name. */
type Wrong = readonly [type: string, properties: Record<string, unknown>, paths: readonly string[]];

/** Fails unless the command did, with the paths, and wrote nothing of the secret. */
function expectPathsAlone(stack: Stack | YamlStack, result: OperationResult, paths: readonly string[]): void {
  const output = outputOf(result);
  const problems = output.matchAll(/has a problem: ([\w.[\]"]+): /g);
  const told = [...new Set(Array.from(problems, ([, path]) => path ?? ""))];
  expect({ isFailed: result.exitCode !== 0, told, output }).toEqual({
    isFailed: true,
    told: expect.arrayContaining([...paths]) as string[],
    output,
  });
  const everything = everythingShown(stack, result);
  expect(FORMS.filter((form) => everything.includes(form))).toEqual([]);
}

/** Fails unless the plan was made with a warning of the path, and nothing of the secret was written. */
function expectUnlistedPath(stack: Stack | YamlStack, result: OperationResult, path: string): void {
  expect({ exitCode: result.exitCode, output: outputOf(result) }).toEqual({
    exitCode: 0,
    output: expect.stringContaining(
      `${path}: this version does not know the value; the value is secret and not shown.`,
    ) as string,
  });
  const everything = everythingShown(stack, result);
  expect(FORMS.filter((form) => everything.includes(form))).toEqual([]);
}

/** Fails unless making the component did, for a secret argument of which nothing is shown. */
function expectComponentRefused(stack: Stack | YamlStack, result: OperationResult): void {
  expect(outputOf(result)).toMatch(/- (?:parentProjectRef|instanceSize): the value is secret and not shown/);
  const everything = everythingShown(stack, result);
  expect(FORMS.filter((form) => everything.includes(form))).toEqual([]);
}

it("a preview of a YAML program prints nothing of what it made of a secret", async () => {
  const joined = { "fn::join": ["", ["u:", "${pass}", "@db"]] };
  const encoded = { "fn::toBase64": joined };
  const long = { "fn::join": ["", Array.from({ length: 1_600 }, () => "${pass}")] };
  // The language itself refuses values of a wrong type.
  const cases: readonly Wrong[] = [
    [
      "Project",
      { name: long, organizationSlug: joined, dbPass: encoded, templateUrl: encoded },
      ["name", "organizationSlug", "templateUrl"],
    ],
    ["Secret", { projectRef: encoded, name: long, value: long }, ["name", "projectRef", "value"]],
    [
      "SigningKey",
      { projectRef: encoded, algorithm: "ES256", privateJwk: { kty: "oct", kid: joined, k: encoded } },
      ["privateJwk.kid", "projectRef"],
    ],
    ["SsoProvider", { projectRef: REF, type: "saml", metadataUrl: joined }, ["metadataUrl"]],
    [
      "PostgresConfig",
      { projectRef: REF, workMem: joined, statementTimeout: encoded },
      ["statementTimeout", "workMem"],
    ],
  ];
  const stack = await startYamlStack("");
  try {
    await stack.workspace.config("pass", SECRET, { secret: true });
    for (const [type, properties, paths] of cases) {
      const config = { pass: { type: "string", secret: true } };
      const resources = { one: declare(type, properties) };
      stack.rewrite(`config: ${JSON.stringify(config)}\nresources: ${JSON.stringify(resources)}\n`);
      expectPathsAlone(stack, await stack.workspace.preview({ extraArgs: ["--diff"] }), paths);
    }
    const unlisted = { name: "app", organizationSlug: "acme", dbPass: encoded, region: encoded };
    stack.rewrite(
      `config: ${JSON.stringify({ pass: { type: "string", secret: true } })}\nresources: ${JSON.stringify({ one: declare("Project", unlisted) })}\n`,
    );
    expectUnlistedPath(stack, await stack.workspace.preview({ extraArgs: ["--diff"] }), "region");
    const repository = "https://forge.example.com/acme/shop";
    const own = { repository, pullRequest: 7, gitBranch: "feature" };
    const preview = { ...own, parentProjectRef: joined, instanceSize: encoded };
    const resources = { one: declare("PreviewEnvironment", preview) };
    stack.rewrite(
      `config: ${JSON.stringify({ pass: { type: "string", secret: true } })}\nresources: ${JSON.stringify(resources)}\n`,
    );
    expectComponentRefused(stack, await stack.workspace.preview());
  } finally {
    await stack.dispose();
  }
});

it("nor does one of a TypeScript program, whose secrets the engine hands to the provider in clear", async () => {
  const [joined, encoded] = ["joined!", "encoded!"];
  const cases: readonly Wrong[] = [
    [
      "Project",
      { name: [joined], organizationSlug: joined, dbPass: [encoded], region: [encoded] },
      ["dbPass", "name", "organizationSlug", "region"],
    ],
    [
      "Secret",
      { projectRef: encoded, name: { a: joined }, value: { a: encoded }, zzzzzz: encoded },
      ["name", "projectRef", "value", "zzzzzz"],
    ],
    [
      "SigningKey",
      { projectRef: REF, algorithm: joined, privateJwk: { kty: "EC", d: joined } },
      ["algorithm", "privateJwk.crv"],
    ],
    [
      "SsoProvider",
      { projectRef: REF, type: "saml", metadataUrl: joined, domains: encoded },
      ["domains", "metadataUrl"],
    ],
  ];
  const stack = await startStack("");
  try {
    await stack.workspace.config("pass", SECRET, { secret: true });
    const write = (statement: string): void =>
      writeFileSync(
        join(stack.projectDir, "index.js"),
        `${PRELUDE}
        const joined = pulumi.interpolate\`u:\${new pulumi.Config().requireSecret("pass")}@db\`;
        const encoded = joined.apply((text) => Buffer.from(text).toString("base64"));
        ${statement}`,
      );
    for (const [type, properties, paths] of cases) {
      const args = JSON.stringify(properties).replaceAll(/"(\w+)!"/g, "$1");
      write(`new management.${type}("one", ${args});`);
      expectPathsAlone(stack, await stack.workspace.preview({ extraArgs: ["--diff"] }), paths);
    }
    write(
      `new management.Project("one", { name: "app", organizationSlug: "acme", dbPass: encoded, region: encoded });`,
    );
    expectUnlistedPath(stack, await stack.workspace.preview({ extraArgs: ["--diff"] }), "region");
    write(`
      new management.PreviewEnvironment("one", {
        parentProjectRef: joined, pullRequest: 7, gitBranch: "feature", instanceSize: encoded,
        repository: "https://forge.example.com/acme/shop",
      });
    `);
    expectComponentRefused(stack, await stack.workspace.preview());
    write(`management.getProjectOutput({ ref: joined }).apply(() => undefined);`);
    const asked = await stack.workspace.preview();
    expect(outputOf(asked)).toContain("ref: the value is secret and not shown");
    const everything = everythingShown(stack, asked);
    expect(FORMS.filter((form) => everything.includes(form))).toEqual([]);
  } finally {
    await stack.dispose();
  }
});

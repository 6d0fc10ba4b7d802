import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findPackageRoot } from "../../tools/engine/package-root";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { PLUGIN_FOLDER } from "./plugin-stack";
import { expectSuccess, PRELUDE, startStack, type Stack } from "./stack";

beforeAll(() => engineForTests(), PROVISIONING_TIMEOUT_MS);

const RESOURCES = `
const declared = {
  Project: ["app", () => ({ name: "shop", organizationSlug: "acme", dbPass: pulumi.secret("db-password-of-the-test"), region: "eu-central-1" })],
  ApiKey: ["backend", (projectRef) => ({ projectRef, type: "secret", name: "backend", description: process.env.DESCRIPTION ?? "one" })],
  Secret: ["token", (projectRef) => ({ projectRef, name: "TOKEN", value: pulumi.secret("value-of-the-test") })],
  EdgeFunction: ["hello", (projectRef) => ({ projectRef, slug: "hello", files: { "index.ts": "Deno.serve(() => new Response('1'));" } })],
  PostgresConfig: ["settings", (projectRef) => ({ projectRef, maxConnections: 120 })],
};
`;

/** The program with the dynamic classes; `moved` names the type that the resources had with the plugin. */
const withClasses = (moved: boolean): string => `${PRELUDE}${RESOURCES}
let projectRef;
for (const [type, [name, args]] of Object.entries(declared)) {
  const options = ${moved} ? { aliases: [{ type: "management:index:" + type }] } : {};
  const resource = new management[type](name, args(projectRef), options);
  projectRef ??= resource.ref;
}
exports.ref = projectRef;
`;

/** The same with the plugin's types, as a generated SDK registers them: the schema's aliases included. */
const withPlugin = `${PRELUDE}${RESOURCES}
const schema = require(${JSON.stringify(join(findPackageRoot(), "schema.json"))});
let projectRef;
for (const [type, [name, args]] of Object.entries(declared)) {
  const outputs = type === "Project" ? { ref: undefined } : {};
  const resource = new pulumi.CustomResource("management:index:" + type, name, { ...outputs, ...args(projectRef) }, { aliases: schema.resources["management:index:" + type].aliases });
  projectRef ??= resource.ref;
}
exports.ref = projectRef;
`;

describe("moving between the dynamic classes and the plugin", () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await startStack(withClasses(false));
    const file = join(stack.projectDir, "Pulumi.yaml");
    const project = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    const plugins = { providers: [{ name: "management", path: PLUGIN_FOLDER }] };
    writeFileSync(file, JSON.stringify({ ...project, plugins }));
  });
  afterEach(() => stack.dispose());

  const rewrite = (source: string): void => writeFileSync(join(stack.projectDir, "index.js"), source);

  it("replaces nothing and asks the service for nothing, there and back again", async () => {
    const { workspace, emulator } = stack;
    expectSuccess(await workspace.up());
    const { ref } = await workspace.outputs();
    emulator.control.clearCalls();

    rewrite(withPlugin);
    const there = await workspace.up();
    expectSuccess(there);
    expect(there.summary).toMatchObject({ create: 0, update: 0, delete: 0, replace: 0, same: 6 });
    expect(emulator.control.countCalls()).toBe(0);
    expect(await workspace.outputs()).toEqual({ ref });
    const changed = await workspace.up({ env: { DESCRIPTION: "two" } });
    expectSuccess(changed);
    expect(changed.summary).toMatchObject({ create: 0, update: 1, replace: 0 });
    expectSuccess(await workspace.refresh());

    emulator.control.clearCalls();
    rewrite(withClasses(true));
    const back = await workspace.up({ env: { DESCRIPTION: "two" } });
    expectSuccess(back);
    expect(back.summary).toMatchObject({ create: 0, delete: 0, replace: 0 });
    expect(emulator.control.countCalls()).toBe(0);
    expect(await workspace.outputs()).toEqual({ ref });
    const again = await workspace.up({ env: { DESCRIPTION: "two" } });
    expect(again.summary).toMatchObject({ create: 0, update: 0, delete: 0, replace: 0, same: 6 });
    expectSuccess(await workspace.refresh());
    expectSuccess(await workspace.destroy());
    expect(emulator.control.call("listProjects", {})).toEqual([]);
  });
});

import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { PROVISIONING_TIMEOUT_MS } from "./harness";
import { everythingShown, expectSuccess, outputOf, PROJECT, startStack, type Stack } from "./stack";
import { madeApiKeys } from "../lifecycle/made-api-keys";

const root = dirname(dirname(__dirname));

/** Reads what is there, and what the program itself makes. */
const program = `${PROJECT}
const key = new management.ApiKey("backend", { projectRef, type: "secret", name: "backend" });
const found = management.getProjects({ organizationSlug: "acme" });
exports.names = found.then(({ projects }) => projects.map(({ name }) => name));
const keys = management.getApiKeysOutput({ projectRef }, { dependsOn: key });
exports.keys = keys.apiKeys.apply((all) => all.map(({ name }) => name).sort());
exports.value = keys.apiKeys.apply((all) => all.find(({ name }) => name === "backend").apiKey);
exports.made = key.apiKey;
const health = management.getHealthOutput({ projectRef, services: [pulumi.output("db")] });
exports.health = health.services;
new management.Secret("copy", { projectRef, name: "COPY", value: exports.value });
`;

describe("functions in a program", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack(program);
  }, PROVISIONING_TIMEOUT_MS);
  afterAll(() => stack.dispose());

  const refs = (): string[] => stack.emulator.control.call("listProjects", {}).map(({ ref }) => ref);

  it("are not called in a preview of what they ask for, and are once it is made; keys stay secret", async () => {
    const { workspace, emulator } = stack;
    const body = { name: "other", organization_slug: "acme", db_pass: "initial-password" };
    emulator.control.call("createProject", { body });
    const preview = await workspace.preview({ extraArgs: ["--diff"] });
    expectSuccess(preview);
    expect(emulator.control.countCalls({ operation: "listOrganizationProjects" })).toBeGreaterThan(0);
    expect(emulator.control.countCalls({ operation: "listApiKeys" })).toBe(0);
    expect(emulator.control.countCalls({ operation: "getHealth" })).toBe(0);

    const up = await workspace.up({ extraArgs: ["--diff"] });
    expectSuccess(up);
    const shown = await workspace.outputs({ showSecrets: true });
    expect(shown).toMatchObject({
      names: ["other"],
      keys: ["anon", "backend", "default", "default", "service_role"],
      health: [{ name: "db", healthy: true, status: "ACTIVE_HEALTHY" }],
    });
    const [onService] = refs().flatMap((ref) => madeApiKeys(emulator.world.state.projects.get(ref)));
    expect(onService).toBeDefined();
    expect(shown["value"]).toBe(onService?.apiKey);
    expect(await workspace.outputs()).toMatchObject({
      value: "[secret]",
      keys: "[secret]",
      made: "[secret]",
    });

    const again = await workspace.up({ extraArgs: ["--diff"] });
    expectSuccess(again);
    expect(again.summary).toMatchObject({ create: 0, update: 0, replace: 0 });
    expect(await workspace.outputs()).toMatchObject({ names: ["other", "shop"] });

    const everything = everythingShown(stack, preview, up, again);
    for (const secret of [String(onService?.apiKey), emulator.accessToken]) {
      expect({ secret, isShown: everything.includes(secret) }).toEqual({ secret, isShown: false });
    }
  });

  it("use the stack's configuration where the environment says nothing", async () => {
    const { workspace, emulator } = stack;
    const env = { MANAGEMENT_BASE_URL: undefined, MANAGEMENT_ACCESS_TOKEN: undefined };
    const without = await workspace.preview({ env });
    expect(without.exitCode).not.toBe(0);
    expect(outputOf(without)).toContain("pulumi config set management:baseUrl");
    await workspace.config("management:baseUrl", emulator.url);
    await workspace.config("management:accessToken", emulator.accessToken, { secret: true });
    const preview = await workspace.preview({ env });
    expectSuccess(preview);
    expect(everythingShown(stack, preview, without)).not.toContain(emulator.accessToken);
    expectSuccess(await workspace.destroy());
    expect(refs()).toHaveLength(1);
  });
});

describe("a program's process", () => {
  const run = async (source: string, env: NodeJS.ProcessEnv = {}): Promise<string> => {
    const args = ["-e", source];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env },
      // Ends only what hangs.
      timeout: 300_000,
    });
    return stdout;
  };
  const LOADED = `Object.keys(require.cache).filter((file) =>
    /node_modules\\/(undici|zod|dataloader)\\/|provider\\/(catalog|resources|functions|client\\/management-client)/.test(
      file.replaceAll("\\\\", "/"))).length`;

  it("loads neither schemas nor HTTP client before it calls a function", async () => {
    expect(await run(`require("pulumi-management"); console.log(${LOADED});`)).toBe("0\n");
  });

  it("ends by itself when its calls are answered, though the service keeps the connections", async () => {
    const server = createServer((_, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ projects: [{ ref: "abcdefghijklmnopqrst" }], pagination: { count: 1 } }));
    });
    server.keepAliveTimeout = 0;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    // Listening on a port, its address is no pipe's name.
    const { port } = server.address() as AddressInfo;
    try {
      const shown = await run(
        `const management = require("pulumi-management");
         Promise.all(["a", "b", "c"].map((search) => management.getProjects({ organizationSlug: "acme", search })))
           .then((all) => console.log(all.length, ${LOADED} > 0));`,
        { MANAGEMENT_BASE_URL: `http://127.0.0.1:${port}`, MANAGEMENT_ACCESS_TOKEN: "token" },
      );
      expect(shown).toBe("3 true\n");
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import * as pulumi from "@pulumi/pulumi";
import { createMocks, type TestHooks, useEmulator } from "../../../emulator/testing";
import { Branch, getProjectOutput } from "../../../provider";

describe("an emulator for a test file", () => {
  const before = { ...process.env };
  const emulator = useEmulator({
    seed: { projects: [{ name: "shop", organization: "acme", dbPass: "a-password" }] },
  });
  const list = (): Promise<Response> =>
    fetch(`${process.env["MANAGEMENT_BASE_URL"] ?? ""}/v1/projects`, {
      headers: { authorization: `Bearer ${process.env["MANAGEMENT_ACCESS_TOKEN"] ?? ""}` },
    });

  it("is where the environment leads, and takes faults and moves of its clock", async () => {
    expect(process.env["MANAGEMENT_BASE_URL"]).toBe(emulator.url);
    expect(await (await list()).json()).toEqual([
      expect.objectContaining({ name: "shop", status: "ACTIVE_HEALTHY" }),
    ]);
    const body = { name: "blog", organization_slug: "acme", db_pass: "a-password" };
    const { ref } = emulator.control.call("createProject", { body });
    expect(emulator.control.call("getProject", { ref }).status).not.toBe("ACTIVE_HEALTHY");
    emulator.control.advance(120_000);
    expect(emulator.control.call("getProject", { ref }).status).toBe("ACTIVE_HEALTHY");
    emulator.control.addFault({ operation: "listProjects", status: 500, times: 2 });
    expect((await list()).status).toBe(500);
  });

  it("begins each test with its seed, without what the test before has left", async () => {
    expect(emulator.control.calls()).toEqual([]);
    const answer = await list();
    expect(answer.status).toBe(200);
    expect(await answer.json()).toHaveLength(1);
  });

  it("takes the hooks of a runner that has none of its own, and restores the environment", async () => {
    const own = { ...process.env };
    const { hooks, given } = collectedHooks();
    const other = useEmulator({}, given);
    expect(() => other.url).toThrow("runs only during the tests");
    for (const run of [...hooks.beforeAll, ...hooks.beforeEach]) await run();
    expect(process.env["MANAGEMENT_BASE_URL"]).toBe(other.url);
    expect(other.url).not.toBe(emulator.url);
    for (const run of hooks.afterAll) await run();
    expect({ ...process.env }).toEqual(own);
    expect(before["MANAGEMENT_BASE_URL"]).toBeUndefined();
  });

  it("gives its hooks more time than the runner does", () => {
    const { given, limits } = collectedHooks();
    useEmulator({}, given);
    expect(limits).toEqual([600_000, 600_000, 600_000]);
  });

  it("whose hook the runner has given up ends with the last hook, and leaves the environment alone", async () => {
    const own = { ...process.env };
    const port = await freePort();
    const { hooks, given } = collectedHooks();
    useEmulator({ port }, given);
    const givenUp = hooks.beforeAll.map((run) => run());
    for (const run of hooks.afterAll) await run();
    await Promise.all(givenUp);
    expect(await isOpen(port)).toBe(false);
    expect({ ...process.env }).toEqual(own);
  });

  it("that cannot start says why once, and leaves no port open", async () => {
    const [port, postgresPort] = [await freePort(), await freePort()];
    const { hooks, given } = collectedHooks();
    const organizations = [{ slug: "acme", name: "Acme", plan: "gold" as never }];
    const projects = [{ name: "shop", organization: "acme", dbPass: "a-password" }];
    useEmulator({ port, postgresPort, seed: { organizations, projects } }, given);
    await expect(hooks.beforeAll[0]?.()).rejects.toThrow();
    for (const run of hooks.afterAll) await run();
    for (const opened of [port, postgresPort]) expect(await isOpen(opened)).toBe(false);
  });
});

/** Hooks that nobody runs until the test does. */
function collectedHooks() {
  const hooks: Record<keyof TestHooks, (() => unknown)[]> = { beforeAll: [], beforeEach: [], afterAll: [] };
  const limits: unknown[] = [];
  const into =
    (name: keyof TestHooks): TestHooks[typeof name] =>
    (run, limit) => {
      hooks[name].push(run);
      limits.push(limit);
    };
  const given = { beforeAll: into("beforeAll"), beforeEach: into("beforeEach"), afterAll: into("afterAll") };
  return { hooks, limits, given };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

describe("mocks for a program", () => {
  it("remember what was declared, add what the service would, and know no function without a mock", () => {
    const mocks = createMocks({
      outputs: { Branch: ({ name }) => ({ host: `db.${name}.example.com` }) },
      functions: { getProject: { ref: "abcdefghijklmnopqrst" } },
    });
    const secret = {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      value: "hidden",
    };
    const inputs = { name: "pr-42", secrets: { TOKEN: secret }, __provider: "source", __owner: "urn" };
    expect(
      mocks.newResource({ type: "pulumi-nodejs:dynamic/management:Branch", name: "preview", inputs }),
    ).toEqual({ id: "preview-id", state: { ...inputs, host: "db.preview.example.com" } });
    mocks.newResource({ type: "management:index:Secret", name: "token", inputs: {}, id: "known" });
    expect(mocks.resources).toEqual([
      { type: "Branch", name: "preview", inputs: { name: "pr-42", secrets: { TOKEN: "hidden" } } },
      { type: "Secret", name: "token", inputs: {} },
    ]);
    expect(mocks.call({ token: "management:index:getProject", inputs: {} })).toEqual({
      ref: "abcdefghijklmnopqrst",
    });
    expect(() => mocks.call({ token: "management:index:getRegions", inputs: {} })).toThrow(
      "calls getRegions, which has no mock",
    );
  });
});

describe("mocks for a new resource", () => {
  // Pulumi's SDK passes an empty id for a resource that is made, and the mock gave it back: `ref` and `id` were unknown.
  it("the mocks of the emulator's package give a new resource its id, and with it its ref", async () => {
    await pulumi.runtime.setMocks(createMocks(), "shop", "test");
    const preview = new Branch("preview", { projectRef: "abcdefghijklmnopqrst", name: "pr-42" });
    const valueOf = <T>(output: pulumi.Output<T>): Promise<T> =>
      new Promise((resolve) => output.apply(resolve));
    expect([await valueOf(preview.id), await valueOf(preview.ref)]).toEqual(["preview-id", "preview-id"]);
  });

  it("wait for what a program declares in a callback, one resource after another", async () => {
    const mocks = createMocks({ functions: { getProject: { ref: "abcdefghijklmnopqrst" } } });
    await pulumi.runtime.setMocks(mocks, "shop", "test");
    const declareNext = (projectRef: pulumi.Input<string>, left: number): void => {
      const branch = new Branch(`branch-${left}`, { projectRef, name: `pr-${left}` });
      if (left > 1) branch.ref.apply((ref) => declareNext(ref, left - 1));
    };
    getProjectOutput({ name: "shop" }).apply(({ ref }) => declareNext(ref, 5));
    expect(mocks.resources).toEqual([]);
    await mocks.waitForProgram();
    expect(mocks.resources.map(({ name }) => name)).toEqual([5, 4, 3, 2, 1].map((left) => `branch-${left}`));
  });
});

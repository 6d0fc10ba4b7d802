import { UsersProject } from "./users-project";

const SEED = `
projects:
  - name: shop
    organization: acme
    ref: abcdefghijklmnopqrst
    dbPass: a-password
    migrations:
      - { name: orders, sql: "create table public.orders (id int primary key)" }
    rows: { public.orders: [{ id: 1 }, { id: 2 }] }
`;

/** What is tested: code that waits until a project is usable, with the client. */
const CODE = `
const { ManagementClient } = require("pulumi-management/client");

async function deploy(name) {
  const { MANAGEMENT_BASE_URL: baseUrl, MANAGEMENT_ACCESS_TOKEN: accessToken } = process.env;
  const client = new ManagementClient({ baseUrl, accessToken });
  try {
    return await client.createProject({ body: { name, organization_slug: "acme", db_pass: "a-password" } });
  } finally {
    await client.close();
  }
}
module.exports = { deploy };
`;

const PROGRAM = `
const pulumi = require("@pulumi/pulumi");
const management = require("pulumi-management");

const project = management.getProjectOutput({ organizationSlug: "acme", name: "shop" });
const preview = new management.Branch("preview", { projectRef: project.ref, name: "pr-42" });
const token = new management.Secret("token", {
  projectRef: preview.ref,
  name: "PAYMENT_TOKEN",
  value: pulumi.secret("a token"),
});
module.exports = { preview, token };
`;

/** Two files, each with a world of its own. */
const API_TEST = (part: string): string => `
const emulator = useEmulator({ worldFile: "shop.world" });
const ref = "abcdefghijklmnopqrst";
const orders = async () =>
  emulator.control.call("runQuery", { ref, body: { query: "select count(*)::int as count from orders" } });

test("begins with the world, which the last test of ${part} does not change", async () => {
  expect(process.env.MANAGEMENT_BASE_URL).toBe(emulator.url);
  expect(emulator.control.call("listProjects", {}).map(({ name }) => name)).toEqual(["shop"]);
  expect(await orders()).toEqual([{ count: 2 }]);
  await emulator.control.call("runQuery", { ref, body: { query: "delete from orders" } });
  emulator.control.call("updateProject", { ref, body: { name: "${part}" } });
});

test("begins with it again", async () => {
  expect(emulator.control.call("listProjects", {}).map(({ name }) => name)).toEqual(["shop"]);
  expect(await orders()).toEqual([{ count: 2 }]);
});

test("takes a fault, and moves the clock", async () => {
  emulator.control.addFault({ operation: "createProject", status: 403, message: "no more of ${part}" });
  await expect(deploy("blog")).rejects.toThrow(/no more of ${part}/);
  const { ref: made } = await deploy("blog");
  expect(emulator.control.call("getProject", { ref: made }).status).not.toBe("ACTIVE_HEALTHY");
  emulator.control.advance(120_000);
  expect(emulator.control.call("getProject", { ref: made }).status).toBe("ACTIVE_HEALTHY");
  expect(emulator.control.calls({ operation: "createProject" })).toHaveLength(2);
});
`;

const MOCKS_TEST = `
const mocks = createMocks({
  outputs: { Branch: { host: "db.example.com" } },
  functions: { getProject: { ref: "abcdefghijklmnopqrst" } },
});
beforeAll(() => pulumi.runtime.setMocks(mocks, "shop", "test"));
const valueOf = (output) => new Promise((resolve) => output.apply(resolve));

test("the program declares a branch and a secret in it", async () => {
  const { preview, token } = load();
  expect(await valueOf(preview.host)).toBe("db.example.com");
  expect(await valueOf(token.projectRef)).toBe("preview-id");
  expect(mocks.resources.map(({ type, inputs }) => [type, inputs.name])).toEqual([
    ["Branch", "pr-42"],
    ["Secret", "PAYMENT_TOKEN"],
  ]);
  expect(mocks.resources[1].inputs.value).toBe("a token");
});
`;

const FOR_JEST = {
  api: `const { useEmulator } = require("management-emulator/testing");
const { deploy } = require("../deploy");\n`,
  mocks: `const pulumi = require("@pulumi/pulumi");
const { createMocks } = require("management-emulator/testing");
const load = () => require("../program");\n`,
};
const ofVitest = (globals: boolean): string =>
  `${globals ? "" : 'import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";\n'}import { createRequire } from "node:module";\n`;
const forVitest = (globals: boolean): typeof FOR_JEST => ({
  api: `${ofVitest(globals)}import { useEmulator as use } from "management-emulator/testing";
const { deploy } = createRequire(import.meta.url)("../deploy");
const useEmulator = (options) => use(options${globals ? "" : ", { beforeAll, beforeEach, afterAll }"});\n`,
  mocks: `${ofVitest(globals)}import * as pulumi from "@pulumi/pulumi";
import { createMocks } from "management-emulator/testing";
const load = () => createRequire(import.meta.url)("../program");\n`,
});

/** Of a runner, whose own seconds are too few where the machine is busy. */
const PATIENT_MS = 600_000;

describe("a project of somebody else", () => {
  const project = new UsersProject();
  beforeAll(async () => {
    // Vite is a peer dependency of vitest.
    await project.install(["jest", "vitest", "vite"]);
    const filesOf = (
      folder: string,
      ending: string,
      { api, mocks }: typeof FOR_JEST,
    ): Record<string, string> => ({
      [`${folder}/first${ending}`]: api + API_TEST("first"),
      [`${folder}/second${ending}`]: api + API_TEST("second"),
      [`${folder}/program${ending}`]: mocks + MOCKS_TEST,
    });
    project.write({
      "seed.yaml": SEED,
      "deploy.js": CODE,
      "program.js": PROGRAM,
      ...filesOf("jest", ".test.js", FOR_JEST),
      ...filesOf("vitest", ".test.mjs", forVitest(false)),
      ...filesOf("vitest-globals", ".test.mjs", forVitest(true)),
    });
    const exported = ["management-emulator", "export", "shop.world"];
    const ran = await project.run("management-emulator", ["exec", "--seed", "seed.yaml", "--", ...exported], {
      PATH: `${project.bin}:${process.env["PATH"] ?? ""}`,
    });
    expect(ran).toMatchObject({ code: 0, err: "" });
  });
  afterAll(() => project.remove());

  it("tests its code and its program with jest", async () => {
    const { code, out, err } = await project.run("jest", [
      "--rootDir",
      "jest",
      `--testTimeout=${PATIENT_MS}`,
    ]);
    if (code !== 0) throw new Error(out + err);
    expect(err).toMatch(/Tests: +7 passed, 7 total/);
  });

  it.each([
    ["the hooks that vitest exports", "vitest", []],
    ["vitest's global hooks", "vitest-globals", ["--globals"]],
  ])("tests them with %s", async (_what, folder, options) => {
    const patient = [`--testTimeout=${PATIENT_MS}`, `--hookTimeout=${PATIENT_MS}`];
    const plain = { NO_COLOR: "1", FORCE_COLOR: undefined };
    const { code, out, err } = await project.run(
      "vitest",
      ["run", "--dir", folder, ...patient, ...options],
      plain,
    );
    if (code !== 0) throw new Error(out + err);
    expect(out).toMatch(/Tests +7 passed \(7\)/);
  });
});

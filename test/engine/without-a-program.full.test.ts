import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROVISIONING_TIMEOUT_MS } from "./harness";
import { declare, PLUGIN_FOLDER, startYamlStack, type YamlStack } from "./plugin-stack";

const PACKAGE = ["do", "--package", join(PLUGIN_FOLDER, "pulumi-resource-management")];
const DB_PASS = "db-password-of-the-test";

describe("pulumi do, without a program", () => {
  let stack: YamlStack;
  beforeAll(async () => {
    stack = await startYamlStack({ resources: { unused: declare("Organization", { name: "unused" }) } });
  }, PROVISIONING_TIMEOUT_MS);
  afterAll(() => stack.dispose());

  const run = async (name: string, ...args: string[]) =>
    stack.workspace.run([...PACKAGE, `management:index:${name}`, ...args]);

  /** The JSON in which the command ends. */
  async function answerOf(name: string, ...args: string[]): Promise<unknown> {
    const result = await run(name, ...args);
    if (result.exitCode !== 0)
      throw new Error(`${result.stdout}
${result.stderr}`);
    return JSON.parse(result.stdout.slice(result.stdout.search(/^[[{]$/m)));
  }

  function inputFile(properties: Readonly<Record<string, string>>): string {
    const path = join(stack.projectDir, "inputs.pcl");
    const lines = Object.entries(properties).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
    writeFileSync(path, lines.join("\n"));
    return path;
  }

  it("creates, lists, reads, patches and deletes by the ids of the listing, and calls functions", async () => {
    const { control } = stack.emulator;
    const shop = inputFile({
      name: "shop",
      organizationSlug: "acme",
      dbPass: DB_PASS,
      region: "eu-central-1",
    });
    await answerOf("Project", "create", "--stateless", "--yes", "--input-file", shop);
    const [project] = control.call("listProjects", {});
    const projectRef = project?.ref ?? "";
    expect(await answerOf("Project", "list", "--organization-slug", "acme")).toEqual([
      { id: projectRef, name: "shop" },
    ]);

    const key = inputFile({ projectRef, type: "secret", name: "backend" });
    await answerOf("ApiKey", "create", "--stateless", "--yes", "--input-file", key);
    const keys = (await answerOf("ApiKey", "list", "--project-ref", projectRef)) as {
      id: string;
      name: string;
    }[];
    expect(keys.map(({ name }) => name).sort()).toEqual(["backend", "default", "default"]);
    const id = keys.find(({ name }) => name === "backend")?.id ?? "";

    expect(await answerOf("ApiKey", "read", id)).toMatchObject({ name: "backend", apiKey: "[secret]" });
    const patch = ["--stateless", "--yes", "--description", "for the shop"];
    const patched = await run("ApiKey", "patch", id, ...patch);
    expect(patched).toMatchObject({ exitCode: 0 });
    const described = control.call("listApiKeys", { ref: projectRef });
    expect(described).toContainEqual(
      expect.objectContaining({ name: "backend", description: "for the shop" }),
    );
    expect(await answerOf("getHealth", "--project-ref", projectRef)).toMatchObject({
      services: expect.arrayContaining([expect.objectContaining({ name: "db", healthy: true })]) as unknown,
    });

    expect(await run("ApiKey", "delete", id, "--stateless", "--yes")).toMatchObject({ exitCode: 0 });
    const left = control.call("listApiKeys", { ref: projectRef });
    expect(left.filter(({ name }) => name === "backend")).toEqual([]);
    const missing = await run("ApiKey", "list", "--project-ref", "aaaaaaaaaaaaaaaaaaaa");
    expect(missing.exitCode).not.toBe(0);
    expect(missing.stderr).toContain("No project or branch has the reference aaaaaaaaaaaaaaaaaaaa");
  });
});

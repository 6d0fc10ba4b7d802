import { readFileSync } from "node:fs";
import { join } from "node:path";
import { areRivals } from "../histories/object-kinds";
import { samples, type Sample } from "../kit/samples";
import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { declare, startYamlStack, type Declared, type YamlProgram, type YamlStack } from "./plugin-stack";
import { expectSuccess, outputOf } from "./stack";

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);

const NAMES: Readonly<Record<string, string>> = {
  Project: "app",
  Branch: "preview",
  SigningKey: "signing",
  ApiKey: "backend",
  Secret: "token",
  EdgeFunction: "hello",
  SsoProvider: "workforce",
  CustomHostname: "hostname",
  PostgresConfig: "settings",
};
const REF = "${app.ref}";

/** As many samples as one project can have: of two that exclude each other, the first. */
const together = samples
  .filter(({ needsOwnProject }) => needsOwnProject !== true)
  .reduce<readonly Sample[]>(
    (kept, sample) => (kept.some(({ type }) => areRivals(type, sample.type)) ? kept : [...kept, sample]),
    [],
  );
/** Those that stay as they are when their program changes, with the hostname. */
const lasting = together.filter(
  ({ type, replacedBy }) => type === "CustomHostname" || replacedBy !== undefined,
);

/** The samples of the lifecycle tests, as one program. */
function program(state: "inputs" | "changed", omitted: readonly string[] = []): YamlProgram {
  const resources: Record<string, Declared> = {};
  for (const sample of together) {
    if (omitted.includes(sample.type)) continue;
    // The hostname needs DNS records to be activated; add-ons and replicas, a larger project.
    const properties = {
      ...sample[sample.type === "CustomHostname" ? "inputs" : state](REF),
      ...(sample.type === "Project" ? { instanceSize: "xlarge" } : {}),
    };
    resources[NAMES[sample.type] ?? sample.type] = declare(
      sample.type,
      properties,
      sample.type === "CustomHostname" ? { dependsOn: ["${settings}"] } : undefined,
    );
  }
  return { resources, outputs: { ref: REF, key: "${backend.apiKey}", hidden: "${preview.password}" } };
}

function allowHostname({ emulator }: YamlStack): void {
  emulator.control.edit((state) => {
    for (const project of state.projects.values()) project.addons.set("custom_domain", "cd_default");
  });
}

/** Credentials outlast the test, and the service offers what every type needs. */
function prepareService({ emulator }: YamlStack): void {
  emulator.control.set("loginRoleSeconds", 86_400);
  emulator.control.set("service", "2026-06");
}

/** A resource of each type, and the stack. */
const ALL = together.length + 1;

describe("a YAML program with every resource", () => {
  let stack: YamlStack;
  beforeAll(async () => {
    stack = await startYamlStack(program("inputs", ["CustomHostname"]));
    prepareService(stack);
  }, PROVISIONING_TIMEOUT_MS);
  afterAll(() => stack.dispose());

  it("is made, stays as it is, shows what others change, is changed and removed", async () => {
    const { workspace, emulator } = stack;
    expectSuccess(await workspace.up());
    allowHostname(stack);
    stack.rewrite(program("inputs"));
    expectSuccess(await workspace.up());
    const [project] = emulator.control.call("listProjects", {});
    expect(await workspace.outputs()).toEqual({ ref: project?.ref, key: "[secret]", hidden: "[secret]" });

    emulator.control.clearCalls();
    const same = await workspace.up();
    expect(same.summary).toMatchObject({ create: 0, update: 0, replace: 0, delete: 0, same: ALL });
    expect(emulator.control.countCalls()).toBe(0);

    const ref = project?.ref ?? "";
    emulator.control.call("updateProject", { ref, body: { name: "renamed by hand" } });
    emulator.control.call("createSecrets", { ref, body: [{ name: "PAYMENT_TOKEN", value: "by hand" }] });
    const refreshed = await workspace.refresh({ extraArgs: ["--diff"] });
    expectSuccess(refreshed);
    expect(refreshed.stdout).toMatch(/name\s*: "shop" => "renamed by hand"/);
    expect(refreshed.summary.update).toBe(2);
    expectSuccess(await workspace.up());
    expect(emulator.control.call("getProject", { ref }).name).toBe("shop");

    // The hours pass until the service takes another change of the disk.
    emulator.control.edit(({ projects }) => {
      for (const { disk } of projects.values()) Object.assign(disk, { before: null, modifiedAt: null });
    });
    stack.rewrite(program("changed"));
    const changed = await workspace.up();
    expectSuccess(changed);
    expect(changed.summary).toMatchObject({
      create: 0,
      update: together.length - lasting.length,
      replace: 0,
      same: lasting.length + 1,
    });

    expectSuccess(await workspace.destroy());
    expect(emulator.control.call("listProjects", {})).toEqual([]);
  });
});

describe("pulumi import", () => {
  let stack: YamlStack;
  beforeAll(async () => {
    const [project] = together.filter(({ type }) => type === "Project");
    stack = await startYamlStack({ resources: { app: declare("Project", project?.inputs(REF) ?? {}) } });
    expectSuccess(await stack.workspace.up());
  }, PROVISIONING_TIMEOUT_MS);
  afterAll(() => stack.dispose());

  it("declares the source of a function, whatever its text holds, and deploys nothing", async () => {
    const { workspace, emulator } = stack;
    const [project] = emulator.control.call("listProjects", {});
    const ref = project?.ref ?? "";
    const texts = {
      greeter: 'const who = "you";\r\nconst at = `${who} $5 \\${x}`; // "quoted": \'ü\' #\n\t\n',
      dollars: "const price = `$${1}`, pid = '$$';\n",
    };
    await workspace.stackInit("sources");
    const declarations: string[] = [];
    for (const [slug, text] of Object.entries(texts)) {
      const file = [
        { name: "lib/main.ts", content: Buffer.from(text) },
        { name: "lib/deno.json", content: Buffer.from("{}") },
      ];
      const metadata = { entrypoint_path: "lib/main.ts", import_map_path: "lib/deno.json" };
      emulator.control.call("deployFunction", { ref, slug, body: { file, metadata } });
      const out = join(stack.projectDir, `${slug}.txt`);
      const imported = await workspace.import("management:index:EdgeFunction", slug, `${ref}/${slug}`, out);
      expect(imported).toMatchObject({ exitCode: 0 });
      const isHard = /lib\/main\.ts has two dollar signs in a row/.test(imported.stdout + imported.stderr);
      expect(isHard).toBe(slug === "dollars");
      declarations.push(readFileSync(out, "utf8").replace(/^resources:\n/, ""));
    }
    // The engine writes `$$${1}` and `$$`: what the warning asks for.
    const [greeter = "", dollars = ""] = declarations;
    const corrected = dollars.replace("$$${1}", () => "$$$${1}").replace("'$$'", () => "'$$$$'");
    stack.rewrite(`resources:\n${greeter}${corrected}`);
    const up = await workspace.up({ extraArgs: ["--diff"] });
    expectSuccess(up);
    expect({ text: outputOf(up), ...up.summary }).toMatchObject({ update: 0, replace: 0, same: 3 });
    for (const slug of Object.keys(texts)) {
      expect(emulator.control.call("getFunction", { ref, function_slug: slug }).version).toBe(1);
    }
  });

  it("says what form an id has, and that there is no such object", async () => {
    const { workspace, projectDir } = stack;
    const out = join(projectDir, "none.txt");
    const malformed = await workspace.import("management:index:ApiKey", "other", "no-slash", out);
    expect(malformed.exitCode).not.toBe(0);
    expect(malformed.stdout + malformed.stderr).toContain("<projectRef>/<apiKeyId>");
    const missing = await workspace.import("management:index:Project", "none", "zzzzzzzzzzzzzzzzzzzz", out);
    expect(missing.exitCode).not.toBe(0);
    expect(missing.stdout + missing.stderr).toContain("does not exist");
  });
});

import { ManagementClient } from "../../provider/client";
import { resourceByType } from "../../provider/catalog/catalog";
import { checkInputs } from "../../provider/engine/check";
import { diffAt } from "../../provider/engine/diff";
import { importResource } from "../../provider/engine/import";
import type { Values } from "../../provider/define/values";
import { parse } from "yaml";
import { takeInventory, type Inventory } from "../../import/inventory";
import { renderTypeScriptFiles, renderTypeScriptProgram } from "../../import/languages/typescript";
import { renderPythonFiles, renderPythonProgram } from "../../import/languages/python";
import { renderYamlProgram } from "../../import/languages/yaml";
import { buildProgram, variableOf } from "../../import/model";
import { importPermissions } from "../../import/permissions.generated";
import { startScenario, type Scenario } from "../kit/scenario";
import { growProject, MAIL_PASSWORD, PAYMENT_TOKEN } from "../../tools/engine/grown-project";

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

const values = new Map([
  ["PAYMENT_TOKEN", PAYMENT_TOKEN],
  ["MAIL_PASSWORD", "another"],
]);
const inventoryOf = (projectRef: string): Promise<Inventory> =>
  takeInventory(scenario.runtime, { projectRef, secretValues: values });

describe("the program of a project that exists", () => {
  it("has of a new project the project, its keys, and no setting", async () => {
    const { objects } = await inventoryOf(scenario.healthyProject());
    expect(objects.map(({ type }) => type)).toEqual([
      "Project",
      "ApiKey",
      "ApiKey",
      "LegacySigningKey",
      "SigningKey",
    ]);
  });

  it("shows no change of what is imported, and the one change after one edit", async () => {
    const { objects, failed } = await inventoryOf(growProject(scenario.emulator));
    expect(failed).toEqual([]);
    for (const { type, importId, inputs } of objects) {
      const resource = resourceByType(type);
      const read = await importResource(scenario.runtime, resource, importId, true);
      const changesOf = (declared: Values): readonly string[] => {
        const { inputs: checked, failures } = checkInputs(resource, declared, declared);
        expect({ type, failures }).toEqual({ type, failures: [] });
        const { properties } = diffAt(resource, read?.state ?? {}, checked, scenario.clock.now());
        return properties.map(({ path }) => path);
      };
      expect({ type, changes: changesOf(inputs) }).toEqual({
        type,
        changes: [],
      });
      if (type === "PostgresConfig")
        expect(changesOf({ ...inputs, maxConnections: 130 })).toEqual(["maxConnections"]);
    }
  });

  it("names what the service does not show", async () => {
    const { leftOut } = await inventoryOf(scenario.healthyProject());
    expect(leftOut).toContainEqual({
      ...{ type: "JitAccess", label: "" },
      why: "the service does not show whether it is enabled",
    });
  });

  it("names what the service lists and then does not return", async () => {
    const projectRef = scenario.healthyProject();
    const body = { name: "build", type: "secret" } as const;
    scenario.emulator.control.call("createApiKey", { ref: projectRef, body });
    const read = jest.spyOn(resourceByType("ApiKey"), "read").mockResolvedValue(undefined);
    const { failed } = await inventoryOf(projectRef);
    read.mockRestore();
    const why = "the service lists it, but does not return it. Import again";
    expect(failed).toContainEqual({ type: "ApiKey", label: "build", why });
  });

  it("names what it cannot declare because an answer does not show it", async () => {
    const projectRef = scenario.healthyProject();
    scenario.emulator.control.addFault({
      ...{ operation: "getSslEnforcement", status: 200, times: 100 },
      body: { currentConfig: null, appliedSuccessfully: true },
    });
    const { failed } = await inventoryOf(projectRef);
    expect(failed).toMatchObject([{ type: "SslEnforcement", label: "" }]);
  });

  it("refers to the project, and has no secret in clear", async () => {
    const ref = growProject(scenario.emulator);
    const program = buildProgram(await inventoryOf(ref));
    for (const text of [
      renderTypeScriptProgram(program),
      renderYamlProgram(program),
      renderPythonProgram(program),
    ]) {
      expect(text).not.toContain(ref);
      for (const secret of [PAYMENT_TOKEN, MAIL_PASSWORD]) expect(text).not.toContain(secret);
    }
    expect(renderTypeScriptProgram(program)).toContain('config.requireSecret("paymentTokenValue")');
    expect(renderPythonProgram(program)).toContain('config.require_secret("paymentTokenValue")');
  });

  it("leaves a secret whose value is not known as a comment", async () => {
    const program = buildProgram(await inventoryOf(growProject(scenario.emulator)));
    const { resources } = parse(renderYamlProgram(program)) as { resources: Record<string, unknown> };
    expect(Object.keys(resources)).toContain("payment-token");
    expect(Object.keys(resources)).not.toContain("mail-password");
    expect([...program.secrets.keys()]).toEqual(["paymentTokenValue"]);
  });

  it("has a file for each area when it is long, and each file what it needs of the others", async () => {
    const inventory = await inventoryOf(growProject(scenario.emulator));
    const short = buildProgram(inventory);
    expect(Object.keys(renderTypeScriptFiles(short))).toEqual(["index.ts"]);
    expect(Object.keys(renderPythonFiles(short))).toEqual(["__main__.py"]);
    const [found] = inventory.objects.filter(({ type }) => type === "ApiKey");
    const more = Array.from({ length: 20 }, (_, index) => ({
      ...{ type: "ApiKey", label: `key-${index}`, importId: `${inventory.projectRef}/${index}` },
      inputs: found?.inputs ?? {},
    }));
    const long = buildProgram({ ...inventory, objects: [...inventory.objects, ...more] });
    const inTypeScript = renderTypeScriptFiles(long);
    expect(Object.keys(inTypeScript)).toEqual(
      ["index", "options", "project", "auth", "branches", "database", "functions", "network"].map(
        (name) => `${name}.ts`,
      ),
    );
    expect(inTypeScript["index.ts"]).toContain('import "./auth";\n');
    expect(inTypeScript["index.ts"]).toContain(
      'import { shop } from "./project";\n\nexport const ref = shop.ref;\n',
    );
    expect(inTypeScript["project.ts"]).toContain("export const shop = new management.Project(");
    expect(inTypeScript["network.ts"]).toBe(
      [
        'import * as management from "pulumi-management";',
        'import { protect } from "./options";',
        'import { shop } from "./project";',
        "",
        'new management.NetworkRestrictions("network-restrictions", {',
        "  projectRef: shop.ref,",
        '  allowedCidrs: ["203.0.113.0/24"],',
        "  allowedCidrsV6: [],",
        "}, { protect });",
        "",
      ].join("\n"),
    );
    expect(inTypeScript["functions.ts"]).toContain("const config = new pulumi.Config();\n");
    const inPython = renderPythonFiles(long);
    expect(inPython["__main__.py"]).toContain("import auth  # noqa: F401\n");
    expect(inPython["functions.py"]).toContain(
      "from options import protect\nfrom project import shop\n\nconfig = pulumi.Config()\n",
    );
  });

  it("is in Python what the generated SDK takes", async () => {
    const text = renderPythonProgram(buildProgram(await inventoryOf(growProject(scenario.emulator))));
    expect(text).toContain('shop = management.Project(\n    "shop",\n');
    expect(text).toContain('    region="eu-central-1",\n');
    expect(text).toContain("    project_ref=shop.ref,\n");
    expect(text).toContain('pulumi.export("ref", shop.ref)\n');
    expect(text).toContain("# management.Secret(\n");
  });

  it("keeps a dollar sign and a brace of a function's source from YAML's references", async () => {
    const program = buildProgram(await inventoryOf(growProject(scenario.emulator)));
    expect(renderYamlProgram(program)).toContain("Hello, $${name}");
  });

  it.each([
    ["a reference after a dollar sign", "$${a}", "$$$${a}"],
    ["three dollar signs", "$$$", "$$$$$$"],
    ["an even number before a brace", "$$$${a} costs $5", "$$$$$$$${a} costs $5"],
  ])("writes for YAML %s so that the language reads it back", async (_, text, written) => {
    const ref = scenario.healthyProject(text);
    const key = { type: "secret" as const, name: "reports", secret_jwt_template: { [text]: 1 } };
    scenario.emulator.control.call("createApiKey", { ref, body: key });
    const inventory = await takeInventory(scenario.runtime, { projectRef: ref, full: true });
    const { resources } = parse(renderYamlProgram(buildProgram(inventory))) as {
      resources: Record<string, { type: string; properties: Record<string, unknown> }>;
    };
    const valuesOf = (name: string): unknown[] =>
      Object.values(resources).flatMap(({ properties }) => properties[name] ?? []);
    expect(valuesOf("name")).toContain(written);
    expect(valuesOf("secretJwtTemplate")).toContainEqual({ [written]: 1 });
  });

  it("names what signs users in after its address, and not after when it was made", async () => {
    const ref = scenario.healthyProject();
    const { control } = scenario.emulator;
    const metadata_url = "https://idp.example.com/metadata";
    control.call("createSsoProvider", {
      ref,
      body: { type: "saml", metadata_url, domains: ["example.com"] },
    });
    control.call("createThirdPartyAuth", { ref, body: { oidc_issuer_url: "https://login.example.com" } });
    const { resources } = buildProgram(await inventoryOf(ref));
    const named = resources.map(({ type, name }) => [type, name]);
    expect(named).toContainEqual(["SsoProvider", "idp-example-com-metadata"]);
    expect(named).toContainEqual(["ThirdPartyAuth", "login-example-com"]);
  });

  it("does not declare a migration without a name, which no program can have", async () => {
    const projectRef = scenario.healthyProject();
    await scenario.emulator.control.call("applyMigration", {
      ref: projectRef,
      body: { name: "", query: "select 1" },
    });
    const { failed } = await takeInventory(scenario.runtime, { projectRef, choose: ["Migration"] });
    expect(failed).toMatchObject([
      { type: "Migration", why: expect.stringContaining("does not return its `name`") as unknown },
    ]);
  });

  it("keeps the names that an earlier run gave, and gives them to nothing else", async () => {
    const ref = growProject(scenario.emulator);
    const before = [{ type: "Project", name: "backend", importId: ref }];
    const { resources } = buildProgram(await inventoryOf(ref), before);
    const named = resources.map(({ type, name }) => `${type} ${name}`);
    expect(named).toContain("Project backend");
    expect(named).toContain("ApiKey backend-api-key");
    expect(new Set(resources.map(({ variable }) => variable)).size).toBe(resources.length);
  });

  it("is not stopped by what the token may not read", async () => {
    const ref = growProject(scenario.emulator);
    scenario.emulator.control.addFault({ operation: "listApiKeys", status: 403 });
    const { objects, failed } = await inventoryOf(ref);
    expect(failed.map(({ type }) => type)).toEqual(["ApiKey"]);
    expect(objects.map(({ type }) => type)).toContain("PostgresConfig");
  });

  it("needs no permission but those that it prints, all of them to read", async () => {
    const ref = growProject(scenario.emulator);
    const accessToken = scenario.emulator.control.createToken({ permissions: importPermissions });
    const client = new ManagementClient({
      baseUrl: scenario.emulator.url,
      credentials: { kind: "token", accessToken: () => accessToken },
      clock: scenario.clock,
    });
    const runtime = { ...scenario.runtime, client: () => client };
    const { failed } = await takeInventory(runtime, { projectRef: ref });
    await client.close();
    expect(failed).toEqual([]);
    expect(importPermissions.filter((each) => !each.endsWith("_read"))).toEqual([]);
  });

  it("sends no write", async () => {
    const ref = growProject(scenario.emulator);
    scenario.emulator.control.clearCalls();
    await inventoryOf(ref);
    const others = scenario.emulator.control.calls().filter(({ method }) => method !== "GET");
    // The query that may only read lists the secrets of the vault.
    expect(new Set(others.map(({ operation }) => operation))).toEqual(new Set(["runReadOnlyQuery"]));
  });

  it("takes the one of two overlapping types that is asked for", async () => {
    const projectRef = growProject(scenario.emulator);
    const { objects } = await takeInventory(scenario.runtime, { projectRef, choose: ["AllowedCidr"] });
    const types = objects.map(({ type }) => type);
    expect(types).toContain("AllowedCidr");
    expect(types).not.toContain("NetworkRestrictions");
    await expect(takeInventory(scenario.runtime, { projectRef, choose: ["Disk"] })).rejects.toThrow(
      "--choose takes",
    );
  });
});

it("makes identifiers of names", () => {
  expect(["payment-token", "2fa", "delete", "config"].map(variableOf)).toEqual([
    "paymentToken",
    "_2fa",
    "delete_",
    "config_",
  ]);
});

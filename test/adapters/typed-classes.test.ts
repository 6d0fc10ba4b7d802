import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

const root = dirname(dirname(__dirname));

/** What the compiler says of a program that uses the classes. */
function complaints(program: string): string[] {
  const folder = mkdtempSync(join(root, "test", "adapters", "program-"));
  try {
    const file = join(folder, "program.ts");
    writeFileSync(
      file,
      `import * as pulumi from "@pulumi/pulumi";\nimport * as management from "../../../provider";\n${program}\nexport {};\n`,
    );
    const compiled = ts.createProgram([file], {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      esModuleInterop: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.Node16,
      moduleResolution: ts.ModuleResolutionKind.Node16,
      types: ["node"],
    });
    const source = compiled.getSourceFile(file);
    return [...compiled.getSyntacticDiagnostics(source), ...compiled.getSemanticDiagnostics(source)].map(
      ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const ref = `const projectRef = "abcdefghijklmnopqrst";`;

describe("the typed classes", () => {
  it("take a right program, with outputs as inputs and typed outputs", () => {
    expect(
      complaints(`${ref}
        const key = new management.ApiKey("k", { projectRef, type: "secret", name: "backend" });
        const text: pulumi.Output<string> = key.apiKey;
        const project = new management.Project("p", { name: "a", organizationSlug: "o", dbPass: pulumi.secret("pass") });
        const host: pulumi.Output<string> = project.database.host;
        new management.Secret("s", { projectRef: project.ref, name: "A", value: text });
        void host;`),
    ).toEqual([]);
  });

  it("regression: take what is always there as an input of another resource, without a fallback", () => {
    expect(
      complaints(`${ref}
        const key = new management.ApiKey("k", { projectRef, type: "secret", name: "backend" });
        const branch = new management.Branch("b", { projectRef, name: "preview" });
        const fn = new management.EdgeFunction("f", { projectRef, slug: "orders", files: { "index.ts": "" } });
        const secrets = { API_KEY: key.apiKey, DATABASE_HOST: branch.host, DATABASE_PASSWORD: branch.password };
        new management.SecretSet("all", { projectRef: branch.ref, secrets });
        new management.Secret("f", { projectRef, name: "FUNCTION_ID", value: fn.functionId });
        const port: pulumi.Output<number> = branch.port;
        const version: pulumi.Output<number> = fn.version;
        const texts: pulumi.Output<string>[] = [branch.status, branch.user, branch.createdAt, branch.connectionString];
        void [port, version, texts];`),
    ).toEqual([]);
  });

  it("leave undefined what depends on an input or may truly be missing", () => {
    expect(
      complaints(`${ref}
        const branch = new management.Branch("b", { projectRef, name: "preview" });
        const key: pulumi.Output<string> = branch.secretKey;
        const pooled: pulumi.Output<string> = branch.pooledConnectionString;
        const number: pulumi.Output<number> = branch.prNumber;
        void [key, pooled, number];`),
    ).toHaveLength(3);
  });

  it("refuse a misspelt property, a wrong type and a missing one when compiled", () => {
    expect(
      complaints(
        `${ref} new management.ApiKey("k", { projectRef, type: "secret", name: "a", descripton: "x" });`,
      )[0],
    ).toContain("descripton");
    expect(
      complaints(`${ref} new management.ApiKey("k", { projectRef, type: "hidden", name: "a" });`)[0],
    ).toContain('"hidden"');
    expect(complaints(`${ref} new management.Secret("s", { projectRef, name: "A" });`)[0]).toContain("value");
  });

  it("do not offer what check computes", () => {
    expect(
      complaints(
        `${ref} new management.EdgeFunction("f", { projectRef, slug: "a", files: {}, sourceHash: "x" });`,
      )[0],
    ).toContain("sourceHash");
  });
});

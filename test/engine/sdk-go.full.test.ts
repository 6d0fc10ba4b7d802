import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { goEnvironment } from "../../tools/engine/go-command";
import { findPackageRoot } from "../../tools/engine/package-root";
import { findExecutable } from "../../tools/engine/path-lookup";
import { runProcess } from "../../tools/engine/run-process";
import { allPrograms } from "../../tools/schema/examples/programs";
import { generateSdk } from "../../tools/sdk/generate-sdk";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { LANGUAGES } from "./example";

let folder: string;

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "management-go-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The Go section of the schema says under which path the SDK is imported, by itself too. */
function importPath(schemaFile: string): string {
  const schema = JSON.parse(readFileSync(schemaFile, "utf8")) as {
    language: { go: { importBasePath: string } };
  };
  return schema.language.go.importBasePath;
}

/** The program in the documentation, as it stands there. */
function documentedProgram(): string {
  const page = readFileSync(join(findPackageRoot(), "docs", "installation-configuration.md"), "utf8");
  const [, program] = /^```go\n(.*?)^```$/ms.exec(page) ?? [];
  if (program === undefined) throw new Error("The page on installation has no program in Go.");
  return program;
}

/** What is always there is an input of another resource as it is, where a pointer would need `Elem()`. */
const pipedProgram = (sdk: string): string => `package main

import (
	"${sdk}"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		branch, err := management.NewBranch(ctx, "preview", &management.BranchArgs{
			ProjectRef: pulumi.String("abcdefghijklmnopqrst"),
			Name:       pulumi.String("preview"),
		})
		if err != nil {
			return err
		}
		key, err := management.NewApiKey(ctx, "backend", &management.ApiKeyArgs{
			ProjectRef: branch.Ref,
			Type:       management.ApiKeyTypeSecret,
			Name:       pulumi.String("backend"),
		})
		if err != nil {
			return err
		}
		function, err := management.NewEdgeFunction(ctx, "orders", &management.EdgeFunctionArgs{
			ProjectRef: branch.Ref,
			Slug:       pulumi.String("orders"),
			Files:      pulumi.StringMap{"index.ts": pulumi.String("")},
		})
		if err != nil {
			return err
		}
		_, err = management.NewSecretSet(ctx, "all", &management.SecretSetArgs{
			ProjectRef: branch.Ref,
			Secrets: pulumi.StringMap{
				"API_KEY":       key.ApiKey,
				"DATABASE_HOST": branch.Host,
				"FUNCTION_ID":   function.FunctionId,
			},
		})
		return err
	})
}
`;

test(
  "the generated Go SDK compiles, and with it the program in the documentation, every example of the reference and one that uses outputs as inputs",
  async () => {
    const schemaFile = join(findPackageRoot(), "schema.json");
    await generateSdk({ schemaFile, language: "go", out: folder, engine: await engineForTests(LANGUAGES) });
    // Pinned to what the engine is built from, so that most of it is compiled already.
    const pinned = join(findPackageRoot(), "test", "engine", "fixtures", "go-sdk");
    const moduleFile = readFileSync(join(pinned, "go.mod"), "utf8");
    writeFileSync(
      join(folder, "go.mod"),
      moduleFile.replace(/^module .*$/m, `module ${dirname(importPath(schemaFile))}`),
    );
    copyFileSync(join(pinned, "go.sum"), join(folder, "go.sum"));
    mkdirSync(join(folder, "shop"));
    writeFileSync(join(folder, "shop", "main.go"), documentedProgram());
    mkdirSync(join(folder, "piped"));
    writeFileSync(join(folder, "piped", "main.go"), pipedProgram(importPath(schemaFile)));
    // One package, so that one program is linked.
    mkdirSync(join(folder, "examples"));
    writeFileSync(join(folder, "examples", "main.go"), "package main\n\nfunc main() {}\n");
    for (const [name, { go: example }] of Object.entries(allPrograms())) {
      const file = join(folder, "examples", `${name}.example.go`);
      writeFileSync(file, example.replace("func main()", `func ${name}Main()`));
    }

    const go = findExecutable("go", process.env);
    if (go === undefined) throw new Error("There is no go on PATH: install Go 1.25 or later.");
    const options = { cwd: folder, env: goEnvironment(process.env), timeoutMs: PROVISIONING_TIMEOUT_MS };
    const built = await runProcess(go, ["build", "-trimpath", "./..."], options);
    expect({ exitCode: built.exitCode, said: built.lastLines }).toEqual({ exitCode: 0, said: [] });
    const formatter = join(dirname(realpathSync(go)), "gofmt");
    const unformatted = await runProcess(formatter, ["-l", "shop", "examples", "piped"], options);
    expect({ exitCode: unformatted.exitCode, said: unformatted.lastLines }).toEqual({
      exitCode: 0,
      said: [],
    });
  },
  PROVISIONING_TIMEOUT_MS,
);

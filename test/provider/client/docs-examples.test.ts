import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

const root = dirname(dirname(dirname(__dirname)));

/** What an example that continues another one takes for granted. */
const PRELUDE =
  'import { ManagementClient } from "pulumi-management/client";\ndeclare const client: ManagementClient;\ndeclare const ref: string;\n';

const examples = ["docs/client.md", "README.md"].flatMap((page) =>
  [...readFileSync(join(root, page), "utf8").matchAll(/^```ts\n(.*?)^```$/gms)]
    .map((match) => match[1] ?? "")
    .filter((text) => /client\./.test(text))
    .map((text) => ({ page, text: text.includes("new ManagementClient") ? text : PRELUDE + text })),
);

it("has examples in the page on the client and in the README", () => {
  expect(new Set(examples.map(({ page }) => page))).toEqual(new Set(["docs/client.md", "README.md"]));
});

it("shows nothing that does not compile", () => {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (path) => readFileSync(path, "utf8")) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const texts = new Map(
    examples.map(({ text }, index) => [join(root, "docs", `example-${index}.mts`), `${text}export {};\n`]),
  );
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (path) => texts.has(path) || disk.fileExists(path),
    readFile: (path) => texts.get(path) ?? disk.readFile(path),
    getSourceFile: (path, language, ...rest) => {
      const text = texts.get(path);
      if (text === undefined) return disk.getSourceFile(path, language, ...rest);
      return ts.createSourceFile(path, text, language);
    },
  };
  const program = ts.createProgram({
    rootNames: [...texts.keys()],
    host,
    options: {
      ...options,
      noEmit: true,
      noUnusedLocals: false,
      types: ["node"],
      paths: {
        "pulumi-management/client": [join(root, "provider/client/index.ts")],
        "management-emulator": [join(root, "emulator/index.ts")],
      },
    },
  });
  const faults = [...texts.keys()].flatMap((path) => {
    const file = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  });
  expect(faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
});

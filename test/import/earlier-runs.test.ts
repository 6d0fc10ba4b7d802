import { createProgramTest } from "../../import/earlier-runs";
import { useFolder } from "./sources/folder";

const folder = useFolder();

describe("what an earlier run listed and a name that means something in a pattern", () => {
  const NAMES = [".*", "a|b", "x(", "[a-z]", "a+b", "^$", String.raw`\w`, "a{2}", "$", "?"];
  const options = (language: "typescript" | "python" | "yaml") => ({
    ...{ projectRef: "abcdefghijklmnopqrst", out: folder.path, language, stack: "dev", imports: true },
    ...{ full: false, choose: [], env: {}, say: () => undefined },
  });
  const declarations = {
    typescript: ["index.ts", (name: string) => `new management.ApiKey("${name}", {});\n`],
    python: ["__main__.py", (name: string) => `management.ApiKey("${name}")\n`],
    yaml: ["Pulumi.yaml", (name: string) => `resources:\n  "${name}":\n    type: management:ApiKey\n`],
  } as const;

  it.each(["typescript", "python", "yaml"] as const)(
    "is found by itself and by no other in %s",
    (language) => {
      const [file, declare] = declarations[language];
      folder.write(file, declare("abc"));
      const isThere = (name: string): boolean =>
        createProgramTest(folder.path, options(language))({ type: "ApiKey", name, importId: "" });
      expect(NAMES.filter(isThere)).toEqual([]);
      expect(isThere("abc")).toBe(true);
      for (const name of NAMES) {
        folder.write(file, declare(name));
        expect({ name, isThere: isThere(name) }).toEqual({ name, isThere: true });
      }
    },
  );
});

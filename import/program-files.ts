import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { VERSION } from "../provider/version.generated";
import { envExample, supportFiles, type Language } from "./documents";
import type { Inventory } from "./inventory";
import { addedPython, pythonFiles, pythonProgram } from "./languages/python";
import { partFor } from "./languages/source-files";
import { addedTypeScript, typeScriptFiles, typeScriptProgram } from "./languages/typescript";
import { yamlProgram } from "./languages/yaml";
import type { ProgramResource, Program } from "./model";
import { packageRequirement } from "./package-source";
import { readTextFile } from "../spec/regular-file";

interface ToWrite {
  readonly program: Program;
  readonly inventory: Inventory;
  readonly added: readonly ProgramResource[];
  readonly out: string;
  readonly language: Language;
}

const MAIN: Readonly<Record<Language, string>> = {
  typescript: "index.ts",
  yaml: "Pulumi.yaml",
  python: "__main__.py",
};

/** The files of a new program, and what a later run adds to one of them. */
const SOURCES = {
  typescript: { ending: ".ts", files: typeScriptFiles, whole: typeScriptProgram, added: addedTypeScript },
  python: { ending: ".py", files: pythonFiles, whole: pythonProgram, added: addedPython },
} as const;

/** What is there stays: a later run adds to the program, and writes no other file that exists. */
export function writeProgramFiles({ program, inventory, added, out, language }: ToWrite): void {
  const write = (name: string, text: string): void => {
    const path = join(out, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const main = join(out, MAIN[language]);
  const present = existsSync(main) ? readTextFile(main) : undefined;
  const news = { ...program, resources: added };
  if (language === "yaml") {
    if (present === undefined || added.some(({ comment }) => comment === undefined))
      write(MAIN.yaml, yamlProgram(news, present));
  } else {
    const { ending, files, whole, added: addition } = SOURCES[language];
    // Of an area that has no file of its own, the main file has what is new.
    const fileOf = (declared: ProgramResource): string => {
      const own = `${partFor(declared)}${ending}`;
      return existsSync(join(out, `options${ending}`)) && existsSync(join(out, own)) ? own : MAIN[language];
    };
    const declared = added.filter(({ comment }) => comment === undefined);
    if (present === undefined) {
      const parts = files(program);
      const isInTheWay = Object.keys(parts).some((name) => existsSync(join(out, name)));
      const wanted = isInTheWay ? { [MAIN[language]]: whole(program) } : parts;
      for (const [name, text] of Object.entries(wanted)) write(name, text);
    } else {
      for (const name of new Set(declared.map(fileOf))) {
        const text = readTextFile(join(out, name));
        const resources = declared.filter((each) => fileOf(each) === name);
        write(name, text + addition({ ...program, resources }, text));
      }
    }
  }
  const requirement = packageRequirement(out, VERSION);
  for (const [name, text] of Object.entries(supportFiles(program, language, requirement))) {
    if (name === "import.json" || !existsSync(join(out, name))) write(name, text);
  }
  write(".env.example", envExample(inventory));
}

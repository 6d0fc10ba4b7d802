import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { VERSION } from "../provider/core/version.generated";
import { formatEnvExample, createSupportFiles, type Language } from "./documents";
import type { Inventory } from "./inventory";
import { renderAddedPython, renderPythonFiles, renderPythonProgram } from "./languages/python";
import { partNameOf } from "./languages/source-files";
import {
  renderAddedTypeScript,
  renderTypeScriptFiles,
  renderTypeScriptProgram,
} from "./languages/typescript";
import { renderYamlProgram } from "./languages/yaml";
import type { ProgramResource, Program } from "./model";
import { chooseRequirement } from "../provider/core/package-source";
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
  typescript: {
    ending: ".ts",
    files: renderTypeScriptFiles,
    whole: renderTypeScriptProgram,
    added: renderAddedTypeScript,
  },
  python: { ending: ".py", files: renderPythonFiles, whole: renderPythonProgram, added: renderAddedPython },
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
      write(MAIN.yaml, renderYamlProgram(news, present));
  } else {
    const { ending, files, whole, added: addition } = SOURCES[language];
    // Of an area that has no file of its own, the main file has what is new.
    const chooseFile = (declared: ProgramResource): string => {
      const own = `${partNameOf(declared)}${ending}`;
      return existsSync(join(out, `options${ending}`)) && existsSync(join(out, own)) ? own : MAIN[language];
    };
    const declared = added.filter(({ comment }) => comment === undefined);
    if (present === undefined) {
      const parts = files(program);
      const isInTheWay = Object.keys(parts).some((name) => existsSync(join(out, name)));
      const wanted = isInTheWay ? { [MAIN[language]]: whole(program) } : parts;
      for (const [name, text] of Object.entries(wanted)) write(name, text);
    } else {
      for (const name of new Set(declared.map(chooseFile))) {
        const text = readTextFile(join(out, name));
        const resources = declared.filter((each) => chooseFile(each) === name);
        write(name, text + addition({ ...program, resources }, text));
      }
    }
  }
  const requirement = chooseRequirement(out, VERSION);
  for (const [name, text] of Object.entries(createSupportFiles(program, language, requirement))) {
    if (name === "import.json" || !existsSync(join(out, name))) write(name, text);
  }
  write(".env.example", formatEnvExample(inventory));
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { findPackageRoot } from "../engine/package-root";
import { provisionEngine } from "../engine/provision";
import { compileNodejsSdk } from "./generate-sdk";
import { generateSdk, SDK_LANGUAGES, type SdkLanguage } from "./generate-sdk";
import { linkNodejsSdk } from "./generate-sdk";

/** What is written where no language is named: these need no more than Go. */
const USUAL: readonly SdkLanguage[] = ["nodejs", "python", "go"];

/** Writes `sdk/<language>` from schema.json; arguments name languages. */
async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !SDK_LANGUAGES.some((language) => language === name));
  if (unknown.length > 0)
    throw new Error(`There is no SDK for ${unknown.join(", ")}; there are ${SDK_LANGUAGES.join(", ")}.`);
  const root = findPackageRoot();
  const schemaFile = join(root, "schema.json");
  if (!existsSync(schemaFile)) throw new Error(`There is no ${schemaFile}; \`npm run generate\` writes it.`);
  const log = (line: string): void => console.log(line);
  const engine = await provisionEngine({ log });
  for (const language of SDK_LANGUAGES.filter((name) =>
    (wanted.length === 0 ? USUAL : wanted).includes(name),
  )) {
    const out = join(root, "sdk", language);
    await generateSdk({ schemaFile, language, out, engine, log });
    if (language !== "nodejs") continue;
    const link = linkNodejsSdk(await compileNodejsSdk(out), root);
    log(`nodejs: compiled, and linked as ${link}`);
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});

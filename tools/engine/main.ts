import type { Language } from "./engine";
import { provisionEngine } from "./provision";

/** Prints the folder to put first on PATH; `--yaml` also provides the language host of YAML programs. */
async function main(): Promise<void> {
  const languages: Language[] = process.argv.includes("--yaml") ? ["nodejs", "yaml"] : ["nodejs"];
  const engine = await provisionEngine({ languages, log: (line) => process.stderr.write(`${line}\n`) });
  process.stdout.write(`${engine.binDir}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});

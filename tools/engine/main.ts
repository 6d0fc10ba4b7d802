import { parseArgs } from "node:util";
import type { Language } from "./engine";
import { provisionEngine } from "./provision";

/** Prints the folder to put first on PATH; `--yaml` and `--python` also provide the hosts of such programs. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { yaml: { type: "boolean" }, python: { type: "boolean" } } });
  const more = (["yaml", "python"] as const).filter((language) => values[language] === true);
  const languages: Language[] = ["nodejs", ...more];
  const engine = await provisionEngine({ languages, log: (line) => process.stderr.write(`${line}\n`) });
  process.stdout.write(`${engine.binDir}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});

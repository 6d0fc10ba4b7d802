import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { InternalError } from "../../emulator";
import { loadNames } from "../../spec/names/load-names";
import { operations } from "../../spec/table";
import { startStage } from "./operations/scene";
import { emulatorFlags, emulatorFlagsUsage, emulatorOptionsOf } from "../emulator-flags";
import { findPackageRoot } from "../engine/package-root";
import { provideEnvironment, withPython } from "../engine/python-environment";
import { isOperationName, openScene } from "./scene";
import { serveScenes } from "./scene-server";
import { runMain } from "../run-main";

const USAGE = `npm run fuzz [-- --seed 1 --max-examples 25 --only getProject,runQuery --newer --limits operation --names FILE]

Calls every operation of the emulator with generated requests, valid and invalid, made by schemathesis from the
emulator's own OpenAPI document. No answer may be a server error or differ from the document, and nothing may go wrong
inside the emulator. The same seed makes the same requests.

  --seed           1 when absent
  --max-examples   requests of each kind for each operation; 25 when absent
  --only           operations to call, by name, separated by commas; all when absent
${emulatorFlagsUsage}`;

/** How much faster than ours the emulator's time runs: no rate limit is met, every throttle ends soon. */
const TIME_FACTOR = 1_000;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      ...emulatorFlags,
      seed: { type: "string", default: "1" },
      "max-examples": { type: "string", default: "25" },
      only: { type: "string", default: "" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) {
    console.log(USAGE);
    return 0;
  }
  if (![values.seed, values["max-examples"]].every((value) => /^[1-9]\d*$/.test(value))) {
    console.error(`--seed and --max-examples are whole numbers from 1.\n\n${USAGE}`);
    return 2;
  }
  const only = values.only.split(",").filter((name) => name !== "");
  const unknown = only.filter((name) => !isOperationName(name));
  if (unknown.length > 0) {
    console.error(
      `No operation is called ${unknown.join(", ")}; docs/reference and spec/operations name them all.`,
    );
    return 2;
  }
  const folder = join(findPackageRoot(), "tools", "fuzz");
  const python = await provideEnvironment(
    {
      kind: "fuzz",
      what: "schemathesis",
      purpose: "Fuzz tests",
      requirements: join(folder, "requirements.txt"),
    },
    { log: (line) => console.log(line) },
  );

  const startedAt = Date.now();
  const time = { now: () => startedAt + (Date.now() - startedAt) * TIME_FACTOR };
  const options = emulatorOptionsOf(values);
  const names = loadNames(options.names);
  const stage = await startStage(options, time);
  const { control, url, accessToken } = stage.emulator;
  const internalErrors: InternalError[] = [];
  const succeeded = new Set<string>();
  // A fresh scene forgets both.
  const remember = (): void => {
    internalErrors.push(...control.internalErrors);
    for (const { operation, status } of control.calls()) {
      if (operation !== undefined && status >= 200 && status < 300) succeeded.add(operation);
    }
  };
  // The fuzzer leaves files where it runs.
  const workplace = mkdtempSync(join(tmpdir(), "management-fuzz-"));
  const scenes = await serveScenes((name) => {
    remember();
    return openScene(stage, name, names);
  });
  try {
    const args = [
      ...["-m", "schemathesis.cli", "--config-file", join(folder, "schemathesis.toml")],
      ...["run", `${url}/_control/openapi.json`, "--url", url],
      ...["--header", `Authorization: Bearer ${accessToken}`],
      ...["--phases", "examples,coverage,fuzzing", "--continue-on-failure"],
      ...["--seed", values.seed, "--max-examples", values["max-examples"]],
      ...[
        "--request-timeout",
        "60",
        "--generation-database",
        "none",
        "--suppress-health-check",
        "all",
        "--warnings",
        "off",
      ],
      ...only.flatMap((name) => ["--include-operation-id", name]),
    ];
    const child = spawn(python.python, args, {
      cwd: workplace,
      stdio: "inherit",
      env: {
        ...withPython(process.env, python),
        SCHEMATHESIS_HOOKS: join(folder, "hooks.py"),
        FUZZ_SCENES_URL: scenes.url,
      },
    });
    const [code] = (await once(child, "exit")) as [number | null];
    remember();
    const asked = only.length > 0 ? only : Object.keys(operations);
    reportReach(asked.filter((name) => !succeeded.has(name)));
    report(internalErrors);
    return code === 0 && internalErrors.length === 0 ? 0 : 1;
  } finally {
    await scenes.close();
    rmSync(workplace, { recursive: true, force: true });
    await stage.close();
  }
}

/** A call that never succeeds shows little of its rules: the scene may lack something. */
function reportReach(neverSucceeded: readonly string[]): void {
  if (neverSucceeded.length > 0) console.log(`Never answered with success: ${neverSucceeded.join(", ")}.`);
}

function report(internalErrors: readonly InternalError[]): void {
  if (internalErrors.length === 0) {
    console.log("Nothing went wrong inside the emulator.");
    return;
  }
  const texts = internalErrors.map(({ operation, kind, message }) => `${operation}, ${kind}: ${message}`);
  console.log(`${texts.length} times something went wrong inside the emulator:`);
  for (const text of new Set(texts)) console.log(`  ${text.slice(0, 2_000)}`);
}

runMain(main);

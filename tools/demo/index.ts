import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { ManagementClient } from "../../provider/client";
import { emulatorFlags, emulatorFlagsUsage, emulatorOptionsOf } from "../emulator-flags";
import { findPackageRoot } from "../engine/package-root";
import { provisionEngine } from "../engine/provision";
import { createWorkspace, type Workspace } from "../engine/workspace";
import { prepareStack } from "./prepare-stack";
import { conclude, heading } from "./report";
import { openService, type Service } from "./service";
import { playSteps } from "./steps";

const USAGE = `npm run demo [-- --keep --newer --limits operation --names FILE]

Runs the program in examples/quickstart with the real Pulumi engine, against the emulator on this machine, or against
an account when MANAGEMENT_BASE_URL, MANAGEMENT_ACCESS_TOKEN and MANAGEMENT_ORGANIZATION are set.

  --keep           makes the stack and leaves it and the emulator for you to explore, until Ctrl-C
${emulatorFlagsUsage}`;

const say = (line: string): void => console.log(line);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { ...emulatorFlags, keep: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help === true) {
    say(USAGE);
    return 0;
  }
  say(heading("the engine"));
  const engine = await provisionEngine({ log: (line) => say(`  ${line}`) });
  // The program runs in its own folder, so the path is made absolute here.
  const options = emulatorOptionsOf({
    ...values,
    names: values.names ?? (process.env["MANAGEMENT_NAMES"] || undefined),
  });
  const service = await openService(process.env, options);
  const folder = service.isLasting ? mkdtempSync(join(tmpdir(), "management-demo-")) : undefined;
  const workspace = createWorkspace({
    engine,
    projectDir: findPackageRoot(),
    ...(folder === undefined ? {} : { folder }),
    env: service.environment,
  });
  const client = new ManagementClient({
    baseUrl: service.baseUrl,
    credentials: { kind: "token", accessToken: () => service.accessToken },
    names: options.names,
  });
  try {
    const projectName = "quickstart";
    say(heading("the stack"));
    say(`The program examples/quickstart, against ${service.description}.`);
    await prepareStack(workspace, service, projectName);
    if (values.keep === true) return await explore(workspace, service);
    const rows = await playSteps({ service, workspace, client, projectName, say });
    const isRight = conclude(rows, say);
    if (folder !== undefined) await leaveNothingBehind(workspace, service, folder);
    return isRight ? 0 : 1;
  } finally {
    await client.close();
    await workspace.dispose();
    await service.close();
  }
}

/** In an account, what a failed step left is destroyed; where that fails, the state stays and the user learns where. */
async function leaveNothingBehind(workspace: Workspace, service: Service, folder: string): Promise<void> {
  const { deployment } = await workspace.exportStack();
  const isEmpty = (deployment.resources ?? []).every(({ type }) => !type.includes("management:"));
  if (!isEmpty) {
    say(heading("clean-up"));
    const { exitCode } = await workspace.destroy({
      onLine: (line) => line.trim() !== "" && say(`  │ ${line}`),
    });
    if (exitCode !== 0) {
      say(
        `\nThe account at ${service.baseUrl} still has resources of this demo. The stack's state is kept in ${folder}:`,
      );
      sayHowToGoOn(workspace, service);
      return;
    }
  }
  rmSync(folder, { recursive: true, force: true });
}

/** Makes the stack, says how to work with it, and waits. */
async function explore(workspace: Workspace, service: Service): Promise<number> {
  const { exitCode } = await workspace.up({ onLine: (line) => line.trim() !== "" && say(`  │ ${line}`) });
  if (exitCode !== 0) return exitCode;
  say(heading("explore"));
  const stays = service.isLasting
    ? `What was made in ${service.baseUrl} stays, and the stack's state is kept in ${workspace.folder}.`
    : `The stack \`demo\` and ${service.description} stay until Ctrl-C.`;
  say(`${stays} In another terminal, in this folder:\n`);
  sayHowToGoOn(workspace, service);
  if (service.isLasting) return 0;
  say(`\nWhat the emulator can be asked to do: ${service.baseUrl}/_control\n`);
  await new Promise<void>((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
  return 0;
}

/** The environment and the commands with which the demo's stack is handled by hand. */
function sayHowToGoOn(workspace: Workspace, service: Service): void {
  const { env, folder } = workspace;
  const variables = ["PULUMI_HOME", "PULUMI_BACKEND_URL", "PULUMI_CONFIG_PASSPHRASE"];
  say(`  export PATH="${dirname(workspace.engine.pulumi)}:${dirname(process.execPath)}:$PATH"`);
  // An account's own token is in the user's environment already, and is never printed.
  if (!service.isLasting) variables.push(...Object.keys(service.environment));
  for (const name of variables) {
    say(`  export ${name}=${JSON.stringify(env[name] ?? "")}`);
  }
  const flags = `--stack demo --config-file ${join(folder, "Pulumi.demo.yaml")}`;
  for (const command of ["up", "refresh", "destroy"]) say(`  pulumi ${command} ${flags}`);
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(`\n${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  },
);

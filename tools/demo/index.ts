import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManagementClient } from "../../provider/client";
import { emulatorFlags, emulatorFlagsUsage, emulatorOptionsOf } from "../emulator-flags";
import type { Engine } from "../engine/engine";
import { findPackageRoot } from "../engine/package-root";
import { createWorkspace } from "../engine/workspace";
import { prepareStack } from "./prepare-stack";
import { cleanUp, conclude, heading, keepForUser, runDemo, say } from "./runner";
import { openService, type Service } from "./service";
import { playSteps } from "./steps";

const USAGE = `npm run demo [-- --keep --newer --limits operation --names FILE]

Runs the program in examples/quickstart with the real Pulumi engine, against the emulator on this machine, or against
an account when MANAGEMENT_BASE_URL, MANAGEMENT_ACCESS_TOKEN and MANAGEMENT_ORGANIZATION are set.

  --keep           makes the stack and leaves it and the emulator for you to explore, until Ctrl-C
${emulatorFlagsUsage}`;

runDemo({
  usage: USAGE,
  flags: { ...emulatorFlags, keep: { type: "boolean" } },
  tell: async (engine, values) => {
    // The program runs in its own folder, so the path is made absolute here.
    const options = emulatorOptionsOf({
      ...values,
      names: values.names ?? (process.env["MANAGEMENT_NAMES"] || undefined),
    });
    const service = await openService(process.env, options);
    try {
      return await tellOf(service, engine, { names: options.names, isKept: values.keep === true });
    } finally {
      await service.close();
    }
  },
});

async function tellOf(
  service: Service,
  engine: Engine,
  { names, isKept }: { readonly names: string | undefined; readonly isKept: boolean },
): Promise<number> {
  const { isLasting, environment, baseUrl } = service;
  const folder = isLasting ? mkdtempSync(join(tmpdir(), "management-demo-")) : undefined;
  const workspace = createWorkspace({
    engine,
    projectDir: findPackageRoot(),
    ...(folder === undefined ? {} : { folder }),
    env: environment,
  });
  const client = new ManagementClient({
    baseUrl,
    credentials: { kind: "token", accessToken: () => service.accessToken },
    names,
  });
  const stack = { workspace, name: "demo", variables: isLasting ? [] : Object.keys(environment) };
  try {
    const projectName = "quickstart";
    say(heading("the stack"));
    say(`The program examples/quickstart, against ${service.description}.`);
    await prepareStack(workspace, service, projectName);
    if (isKept) {
      const stays = isLasting
        ? `What was made in ${baseUrl} stays, and the stack's state is kept in ${workspace.folder}.`
        : `The stack \`demo\` and ${service.description} stay until Ctrl-C.`;
      const also = `What the emulator can be asked to do: ${baseUrl}/_control`;
      return await keepForUser(stack, { stays, isLasting, also });
    }
    const code = conclude(await playSteps({ service, workspace, client, projectName, say }));
    // In an account, the state stays where something is left.
    const remains = `The account at ${baseUrl} still has resources of this demo. The stack's state is kept in ${workspace.folder}:`;
    if (folder !== undefined && (await cleanUp(stack, remains)))
      rmSync(folder, { recursive: true, force: true });
    return code;
  } finally {
    await client.close();
    await workspace.dispose();
  }
}

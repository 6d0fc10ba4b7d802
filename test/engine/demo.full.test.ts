import type { EmulatorOptions } from "../../emulator";
import { ManagementClient } from "../../provider/client";
import { openService } from "../../tools/demo/service";
import { playSteps } from "../../tools/demo/steps";
import { prepareStack } from "../../tools/demo/prepare-stack";
import { findPackageRoot } from "../../tools/engine/package-root";
import { createWorkspace } from "../../tools/engine/workspace";
import { ACME_FILE } from "../spec/names/acme";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";

beforeAll(() => engineForTests(), PROVISIONING_TIMEOUT_MS);

describe("the demo", () => {
  it.each<[string, EmulatorOptions]>([
    ["in the specification's words", {}],
    [
      "in an installation's words, with newer fields and a limit for each operation",
      { names: ACME_FILE, newer: true, limits: "operation" },
    ],
  ])("does in every step what it must, %s", async (_words, options) => {
    const service = await openService({}, options);
    const workspace = createWorkspace({
      engine: await engineForTests(),
      projectDir: findPackageRoot(),
      env: service.environment,
    });
    const client = new ManagementClient({
      names: options.names,
      baseUrl: service.baseUrl,
      credentials: { kind: "token", accessToken: () => service.accessToken },
    });
    const said: string[] = [];
    try {
      const projectName = "quickstart";
      const secrets = await prepareStack(workspace, service, projectName);
      const rows = await playSteps({
        service,
        workspace,
        client,
        projectName,
        say: (line) => said.push(line),
      });
      expect({ faults: rows.flatMap(({ faults }) => faults), said: rows.length }).toEqual({
        faults: [],
        said: 8,
      });
      for (const secret of [...secrets, service.accessToken]) expect(said.join("\n")).not.toContain(secret);
    } catch (error) {
      process.stderr.write(`${said.join("\n")}\n`);
      throw error;
    } finally {
      await client.close();
      await workspace.dispose();
      await service.close();
    }
  });
});

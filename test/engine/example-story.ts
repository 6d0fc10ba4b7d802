import { readFileSync } from "node:fs";
import { openService } from "../../tools/demo/service";
import { prepareStack } from "../../tools/demo/prepare-stack";
import type { Environment } from "../../tools/engine/engine";
import { createWorkspace, type OperationResult } from "../../tools/engine/workspace";
import { LANGUAGES } from "./example";
import { engineForTests } from "./harness";
import { expectSuccess } from "./stack";

const NOTHING = { create: 0, update: 0, delete: 0, replace: 0, same: 0 };
/** Nine resources and the stack. */
const ALL = 10;

/** What the quickstart gives in every language. */
const OUTPUTS: Record<string, unknown> = {
  ref: expect.stringMatching(/^[a-z]{20}$/),
  databaseHost: expect.stringContaining("."),
  branchRef: expect.stringMatching(/^[a-z]{20}$/),
  branchPassword: "[secret]",
  backendKey: "[secret]",
  signingKeyId: expect.any(String),
  functionVersion: 1,
  secretInSync: true,
  ssoProviderId: expect.any(String),
  maxConnections: 120,
  dnsRecords: expect.anything(),
};

/** Makes everything, finds nothing to do and nothing changed, and leaves an empty service behind. */
export async function expectWholeStory(projectDir: string, env: Environment = {}): Promise<void> {
  const service = await openService({});
  const workspace = createWorkspace({
    engine: await engineForTests(LANGUAGES),
    projectDir,
    env: { MANAGEMENT_BASE_URL: service.baseUrl, MANAGEMENT_ACCESS_TOKEN: service.accessToken, ...env },
  });
  const results: OperationResult[] = [];
  const expectStep = async (
    step: "up" | "refresh" | "destroy",
    counts: Partial<typeof NOTHING>,
  ): Promise<void> => {
    const result = await workspace[step]();
    results.push(result);
    expectSuccess(result);
    expect({ step, ...result.summary }).toEqual({ step, ...NOTHING, ...counts });
  };
  try {
    const secrets = await prepareStack(workspace, service, "quickstart");

    await expectStep("up", { create: ALL });
    expect(await workspace.outputs()).toEqual(OUTPUTS);
    const state = workspace.readStateFile();

    service.clearCalls();
    await expectStep("up", { same: ALL });
    expect(service.countCalls()).toBe(0);

    await expectStep("refresh", { same: ALL });
    await expectStep("destroy", { delete: ALL });
    expect(service.leftovers()).toEqual([]);

    const shown = [state, ...results.flatMap(textOf)].join("\n");
    for (const secret of [...secrets, service.accessToken]) expect(shown).not.toContain(secret);
  } finally {
    await workspace.dispose();
    await service.close();
  }
}

function textOf({ stdout, stderr, eventLogFile }: OperationResult): string[] {
  return [stdout, stderr, eventLogFile === undefined ? "" : readFileSync(eventLogFile, "utf8")];
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { ForbiddenError, InvalidInputError, NotFoundError } from "../../provider/client/errors/errors";
import {
  createProgramRuntime,
  runFunction,
  type ProgramRuntime,
} from "../../provider/dynamic/functions-runtime";
import type { StatusLine } from "../../provider/process/status-reporter";
import { startScenario, type Scenario } from "../kit/scenario";
import { NOBODY } from "./invoke";

let scenario: Scenario;
let stateHome: string;
let lines: string[];
beforeEach(async () => {
  scenario = await startScenario();
  stateHome = mkdtempSync(join(tmpdir(), "management-program-"));
  lines = [];
});
afterEach(async () => {
  rmSync(stateHome, { recursive: true, force: true });
  await scenario.close();
});

function program(settings: object, env: NodeJS.ProcessEnv = {}): ProgramRuntime {
  const send = ({ message }: StatusLine): Promise<void> => {
    lines.push(message);
    return Promise.resolve();
  };
  return createProgramRuntime({ ...settings }, { XDG_STATE_HOME: stateHome, ...env }, send, scenario.clock);
}
const here = (): object => ({ baseUrl: scenario.emulator.url, accessToken: scenario.emulator.accessToken });

async function errorOf(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof Error) return outcome;
  throw new Error("It did not fail");
}

describe("a function called by a program", () => {
  it("uses the stack's configuration, and the environment before it", async () => {
    const ref = scenario.healthyProject("shop");
    const [right, wrong] = [here(), { baseUrl: "https://nowhere.example", accessToken: "wrong" }];
    const env = {
      MANAGEMENT_BASE_URL: scenario.emulator.url,
      MANAGEMENT_ACCESS_TOKEN: scenario.emulator.accessToken,
    };
    for (const runtime of [program(right), program({}, env), program(wrong, env)]) {
      expect(await runtime.run("getProject", { ref })).toMatchObject({ ref, name: "shop" });
    }
  });

  it("says which setting is missing, once it is called", async () => {
    const error = await errorOf(program({}).run("getProject", { ref: NOBODY }));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error.message).toContain("MANAGEMENT_BASE_URL");
  });

  it("refuses arguments before any call, each with its path and what is allowed", async () => {
    const error = await errorOf(
      program(here()).run("getHealth", { projectRef: "short", services: ["moon"], tiemoutMs: 1 }),
    );
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error).toMatchObject({ path: "projectRef" });
    expect(error.message.split("\n")).toEqual([
      "getHealth cannot run with these arguments.",
      '  projectRef: got "short"; expected a reference of 20 lowercase letters, as `abcdefghijklmnopqrst`',
      expect.stringContaining('services[0]: got "moon"; allowed: "auth"') as string,
      "  tiemoutMs: unknown property; did you mean `timeoutMs`?",
    ]);
    expect(scenario.calls()).toBe(0);
  });

  it("says what to use for an argument that is an Output", async () => {
    const error = await errorOf(program(here()).run("getProject", { ref: pulumi.output(NOBODY) }));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error.message).toContain(
      "ref: it is an Output or a Promise and not known yet: use `getProjectOutput`",
    );
  });

  it("fails with the client's errors, which repeat neither token nor what the service made of it", async () => {
    const { accessToken } = scenario.emulator;
    const runtime = program(here());
    const message = `no rights for ${accessToken}`;
    scenario.emulator.control.addFault({ operation: "getProject", status: 403, message });
    const refused = await errorOf(runtime.run("getProject", { ref: NOBODY }));
    expect(refused).toBeInstanceOf(ForbiddenError);
    expect(`${refused.message} ${refused.stack ?? ""}`).not.toContain(accessToken);
    expect(refused.message).toContain("no rights for [secret]");
    expect(await errorOf(runtime.run("getProject", { ref: NOBODY }))).toBeInstanceOf(NotFoundError);
  });

  it("shares a listing with the calls of the same turn, and reads again for later ones", async () => {
    const projectRef = scenario.healthyProject();
    const runtime = program(here());
    const names = async (): Promise<unknown[]> => {
      const { apiKeys } = (await runtime.run("getApiKeys", { projectRef })) as {
        apiKeys: { name: string }[];
      };
      return apiKeys.map(({ name }) => name);
    };
    await Promise.all(Array.from({ length: 50 }, names));
    expect(scenario.calls("listApiKeys")).toBe(1);
    // As the provider process of the same run does in between.
    scenario.emulator.control.call("createApiKey", {
      ref: projectRef,
      body: { type: "secret", name: "made_since" },
    });
    expect(await names()).toContain("made_since");
  });

  it("asks the service of its own stack, where one process runs the programs of several", async () => {
    const other = await startScenario();
    try {
      const ask = async ({ emulator }: Scenario): Promise<unknown> => {
        pulumi.runtime.setConfig("management:baseUrl", emulator.url);
        pulumi.runtime.setConfig("management:accessToken", emulator.accessToken);
        return (await runFunction("getProject", { organizationSlug: "acme", name: "shop" }))["ref"];
      };
      const refs = [scenario.healthyProject("shop"), other.healthyProject("shop")];
      expect([await ask(scenario), await ask(other), await ask(scenario)]).toEqual([...refs, refs[0]]);
    } finally {
      await other.close();
    }
  });
});

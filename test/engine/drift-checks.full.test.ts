import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findPackageRoot } from "../../tools/engine/package-root";
import type { CommandResult } from "../../tools/engine/engine-process";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { expectSuccess, PROJECT, startStack, type Stack } from "./stack";

beforeAll(() => engineForTests(), PROVISIONING_TIMEOUT_MS);

/** What a pipeline decides by: the codes of the page's table by their meaning. */
const CODES = { none: 0, failure: 1, noStack: 6, changes: 7 };

describe("a check for drift in a pipeline", () => {
  const program = `${PROJECT}
const adopted = process.env.ADOPTED;
if (process.env.BROKEN) throw new Error("the program is broken");
new management.Secret("token", { projectRef, name: "TOKEN", value: "value-of-the-token" });
new management.ApiKey("key", { projectRef, type: "secret", name: "backend", description: process.env.DESCRIPTION ?? "one", ...(adopted && { adoptId: adopted }) });
`;
  const expecting = (...flags: string[]): { extraArgs: string[] } => ({
    extraArgs: [...flags, "--expect-no-changes"],
  });
  let stack: Stack;
  let ref: string;
  beforeAll(async () => {
    stack = await startStack(program);
    expectSuccess(await stack.workspace.up());
    [{ ref } = { ref: "" }] = stack.emulator.control.call("listProjects", {});
  });
  afterAll(() => stack.dispose());

  const drift = (env = {}): Promise<CommandResult> =>
    stack.workspace.run(["refresh", "--preview-only", "--expect-no-changes", "--stack", "test"], { env });
  const preview = (env = {}): Promise<CommandResult> => stack.workspace.preview({ ...expecting(), env });

  function expectCode(result: CommandResult, code: keyof typeof CODES): void {
    expect({ exitCode: result.exitCode, said: result.stdout + result.stderr }).toMatchObject({
      exitCode: CODES[code],
    });
  }

  it("ends with 0 where program, state and service agree", async () => {
    expectCode(await drift(), "none");
    expectCode(await preview(), "none");
    expectCode(await stack.workspace.up(expecting()), "none");
  });

  it("ends with 1 where it could not look: a refused token, a broken program", async () => {
    expectCode(await drift({ MANAGEMENT_ACCESS_TOKEN: "no-token-of-anybody" }), "failure");
    expectCode(await preview({ BROKEN: "1" }), "failure");
  });

  it("ends with 6 where there is no such stack", async () => {
    const { exitCode } = await stack.workspace.run(["preview", "--expect-no-changes", "--stack", "nobodys"]);
    expect(exitCode).toBe(CODES.noStack);
  });

  it("ends with 7 where the program has changed, which an up makes all the same", async () => {
    const env = { DESCRIPTION: "two" };
    expectCode(await preview(env), "changes");
    expectCode(await stack.workspace.up({ ...expecting(), env }), "changes");
    const descriptions = stack.emulator.control
      .call("listApiKeys", { ref })
      .map(({ description }) => description);
    expect(descriptions).toContain("two");
    expectSuccess(await stack.workspace.up());
  });

  it("ends with 0 after what was there was adopted with another value", async () => {
    const key = stack.emulator.control.call("listApiKeys", { ref }).find(({ name }) => name === "backend");
    const env = { DESCRIPTION: "adopted", ADOPTED: key?.id ?? "" };
    const { deployment } = await stack.workspace.exportStack();
    const urn = deployment.resources?.find(({ type }) => type.endsWith(":ApiKey"))?.urn ?? "";
    expectCode(await stack.workspace.run(["state", "delete", urn, "--stack", "test", "--yes"]), "none");
    expectSuccess(await stack.workspace.up({ env }));
    expectCode(await preview(env), "none");
    expectCode(await drift(env), "none");
    expect(stack.emulator.control.call("listApiKeys", { ref })).toContainEqual(
      expect.objectContaining({ id: key?.id, description: "adopted" }),
    );
    expectSuccess(await stack.workspace.up());
  });

  it("ends with 7 where a secret was changed behind Pulumi's back, for a look at the service only", async () => {
    stack.emulator.control.call("createSecrets", { ref, body: [{ name: "TOKEN", value: "another" }] });
    expectCode(await preview(), "none");
    expectCode(await drift(), "changes");
    expectCode(await stack.workspace.preview(expecting("--refresh")), "changes");
    // A check writes nothing: the next one finds the same.
    expectCode(await drift(), "changes");
  });

  it("has these codes in the documentation, and no others", () => {
    const page = readFileSync(join(findPackageRoot(), "docs", "drift.md"), "utf8");
    const documented = [...page.matchAll(/^\| +`(\d+)` +\|/gm)].map(([, code]) => Number(code));
    expect(documented).toEqual(Object.values(CODES));
  });
});

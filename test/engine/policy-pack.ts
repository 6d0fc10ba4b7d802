import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { findPackageRoot } from "../../tools/engine/package-root";
import { expectSuccess, outputOf, type Stack } from "./stack";
import type { OperationOptions } from "../../tools/engine/workspace";

const VIOLATION = "Keys for programs are publishable keys.";

/**
 * The language host that is provisioned for Node.js is too old to run policy packs. The engine runs those of other runtimes by
 * an executable of this name.
 */
const RUNTIME = "nodepolicies";

/**
 * Writes a pack of one mandatory policy for `ApiKey` of `sdk`, as its users write policies; returns the options of a command
 * that applies it. The pack stands below the program and finds the program's packages, so that `sdk` may be one of them.
 */
function withPolicyPack(projectDir: string, sdk: string): OperationOptions {
  const folder = join(projectDir, "policies");
  mkdirSync(folder);
  symlinkSync(join(findPackageRoot(), "node_modules"), join(folder, "node_modules"), "junction");
  writeFileSync(join(folder, "PulumiPolicy.yaml"), `runtime: ${RUNTIME}\n`);
  writeFileSync(
    join(folder, "package.json"),
    '{ "name": "policies", "version": "1.0.0", "main": "index.js" }\n',
  );
  writeFileSync(
    join(folder, "index.js"),
    `const { PolicyPack, validateResourceOfType } = require("@pulumi/policy");
const { ApiKey } = require(${JSON.stringify(sdk)});
new PolicyPack("keys", {
  policies: [{
    name: "no-secret-keys",
    description: "No program gets a secret key.",
    enforcementLevel: "mandatory",
    validateResource: validateResourceOfType(ApiKey, (key, args, reportViolation) => {
      if (key.type === "secret") reportViolation(${JSON.stringify(VIOLATION)});
    }),
  }],
});
`,
  );
  const runner = require.resolve("@pulumi/pulumi/cmd/run-policy-pack");
  writeFileSync(
    join(folder, `pulumi-analyzer-policy-${RUNTIME}`),
    `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(runner)} "$@"\n`,
    { mode: 0o755 },
  );
  const PATH = `${folder}${delimiter}${process.env.PATH ?? ""}`;
  return { extraArgs: ["--policy-pack", folder], env: { PATH } };
}

/** A mandatory policy for `ApiKey` of `sdk` stops the stack's program, or lets it pass where it does not violate it. */
export async function expectPolicy(stack: Stack, sdk: string, verdict: "stops" | "passes"): Promise<void> {
  const previewed = await stack.workspace.preview(withPolicyPack(stack.projectDir, sdk));
  if (verdict === "passes") {
    expectSuccess(previewed);
    return;
  }
  expect(outputOf(previewed)).toContain(VIOLATION);
  expect(previewed.exitCode).not.toBe(0);
}

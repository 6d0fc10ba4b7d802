import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A `pulumi` that has at most one stack, and says what it was asked. */
export interface FakePulumi {
  /** Where it is, and what it keeps. */
  readonly folder: string;
  /** The stack's state: the inputs of each branch in it, and the reference of all of them. */
  has(...branches: readonly (Readonly<Record<string, unknown>> | string)[]): void;
  /** The stack's state: the inputs and the reference of each branch in it. */
  hasEach(...branches: readonly (readonly [Readonly<Record<string, unknown>>, string])[]): void;
  /** A stack of which a killed run had begun to create these branches. */
  hasPending(...branches: readonly Readonly<Record<string, unknown>>[]): void;
  /** The stack's state: these resources. */
  hasResources(...resources: readonly object[]): void;
  /** The stack's outputs, some of them secret. */
  outputs(plain: Readonly<Record<string, unknown>>, secret?: Readonly<Record<string, unknown>>): void;
  /** What `stack export` does, as a shell script. */
  exports(script: string): void;
  /** What `destroy` does, as a shell script. */
  destroys(script: string): void;
  /** What `up` does, as a shell script. */
  ups(script: string): void;
  /** What `cancel` does, as a shell script. */
  cancels(script: string): void;
  /** What `stack init` does, as a shell script. */
  inits(script: string): void;
  /** What was asked, without the exports, and with the stack that was selected by the environment. */
  calls(): string[];
}

const asked = "calls.txt";

/** Is on the PATH of this process during each test, in a folder of its own. */
export function useFakePulumi(): FakePulumi {
  const environment = { ...process.env };
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "management-previews-"));
    install(folder);
  });
  afterEach(() => {
    process.env = { ...environment };
    rmSync(folder, { recursive: true, force: true });
  });
  let outputs: Readonly<Record<string, unknown>> = {};
  let others: Readonly<Record<string, readonly unknown[]>> = {};
  beforeEach(() => {
    outputs = {};
    others = {};
  });
  function writeState(): void {
    const { resources = [], ...more } = others;
    const deployment = { resources: [{ type: "pulumi:pulumi:Stack", outputs }, ...resources], ...more };
    writeFileSync(join(folder, "state.json"), JSON.stringify({ version: 3, deployment }));
  }
  const hasOthers = (now: typeof others): void => {
    others = now;
    writeState();
  };
  return {
    get folder() {
      return folder;
    },
    has: (...given) => {
      const [ref = "b".repeat(20)] = given.filter((each) => typeof each === "string");
      const branches = given.filter((each) => typeof each !== "string");
      hasOthers({ resources: branches.map((inputs) => branchInState(inputs, ref)) });
    },
    hasPending: (...branches) => {
      const pending = branches.map((inputs) => ({ type: "creating", resource: branchInState(inputs) }));
      hasOthers({ pending_operations: pending });
    },
    hasEach: (...branches) => {
      hasOthers({ resources: branches.map(([inputs, ref]) => branchInState(inputs, ref)) });
    },
    hasResources: (...resources) => hasOthers({ resources }),
    outputs: (plain, secret = {}) => {
      const hidden = Object.entries(secret).map(([name, value]) => [name, secretInState(value)] as const);
      outputs = { ...plain, ...Object.fromEntries(hidden) };
      writeState();
    },
    exports: (text) => writeFileSync(join(folder, "export.sh"), text),
    destroys: (text) => writeFileSync(join(folder, "destroy.sh"), text),
    ups: (text) => writeFileSync(join(folder, "up.sh"), text),
    cancels: (text) => writeFileSync(join(folder, "cancel.sh"), text),
    inits: (text) => writeFileSync(join(folder, "init.sh"), text),
    calls: () => {
      const file = join(folder, asked);
      return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
    },
  };
}

/** A secret as the CLI exports it. */
export function secretInState(value: unknown): object {
  return {
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    plaintext: JSON.stringify(value),
  };
}

function branchInState(inputs: Readonly<Record<string, unknown>>, ref?: string): object {
  return {
    type: "pulumi-nodejs:dynamic/management:Branch",
    inputs,
    ...(ref !== undefined && { outputs: { ref } }),
  };
}

function install(folder: string): void {
  const script = `#!/bin/sh
cd "${folder}"
case "$*" in
  "stack export"*)
    if [ -f export.sh ]; then . ./export.sh; elif [ -f state.json ]; then cat state.json; else echo "error: no stack named 'x' found" >&2; exit 6; fi;;
  "stack ls"*) echo "$*" >> ${asked}; cat stacks.json;;
  destroy*) echo "$* [$PULUMI_STACK]" >> ${asked}; . ./destroy.sh;;
  up*) echo "$* [$PULUMI_STACK]" >> ${asked}; . ./up.sh;;
  cancel*) echo "$* [$PULUMI_STACK]" >> ${asked}; . ./cancel.sh;;
  "stack init"*) echo "$* [$PULUMI_STACK]" >> ${asked}; . ./init.sh;;
  *) echo "$* [$PULUMI_STACK]" >> ${asked};;
esac
`;
  writeFileSync(join(folder, "pulumi"), script);
  chmodSync(join(folder, "pulumi"), 0o755);
  writeFileSync(join(folder, "destroy.sh"), "exit 0\n");
  writeFileSync(join(folder, "up.sh"), "exit 0\n");
  writeFileSync(join(folder, "cancel.sh"), "exit 0\n");
  writeFileSync(join(folder, "init.sh"), "exit 0\n");
  writeFileSync(join(folder, "stacks.json"), "[]");
  process.env["PATH"] = `${folder}:${process.env["PATH"]}`;
}

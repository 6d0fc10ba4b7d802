import * as pulumi from "@pulumi/pulumi";
import { InvalidInputError } from "../client/errors/errors";
import { tokenOf } from "../define/token";
import { knownArguments, type OutputInvokeOptions } from "./functions-arguments";
import { secretInputs } from "./secret-inputs";

/** What the generated functions know of themselves. */
export interface FunctionShape {
  readonly name: string;
  readonly hasSecrets: boolean;
}

/** Runs a function in the program's own process, or has Pulumi's mocks answer it. */
export async function callFunction<R>(
  shape: FunctionShape,
  args: object,
  opts: pulumi.InvokeOptions = {},
): Promise<R> {
  return call(shape, args, opts, []);
}

async function call<R>(
  { name }: FunctionShape,
  args: object,
  opts: pulumi.InvokeOptions,
  secretNames: readonly string[],
): Promise<R> {
  refuseProvider(name, opts);
  // The function's own schemas are what the result's type is generated from.
  if (isMocked()) return (await pulumi.runtime.invoke(tokenOf(name), { ...args }, opts)) as R;
  const done = pulumi.runtime.rpcKeepAlive();
  try {
    return (await loadRuntime().runFunction(name, { ...args }, secretNames)) as R;
  } finally {
    done();
  }
}

/** As `callFunction`, once the arguments are known; a preview in which they are not leaves the result unknown. */
export function callFunctionOutput<R>(
  shape: FunctionShape,
  args: object,
  opts: OutputInvokeOptions = {},
): pulumi.Output<R> {
  const answer = (): pulumi.Output<R> => {
    const { dependsOn, ...others } = opts;
    return knownArguments({ ...args }, dependsOn).apply(async (known) =>
      call<R>(shape, known, others, await secretInputs({ ...args })),
    );
  };
  // A result holds no outputs that `secret` would unwrap.
  return shape.hasSecrets ? (pulumi.secret(answer()) as pulumi.Output<R>) : answer();
}

/** Whether the program runs in a unit test with `pulumi.runtime.setMocks`, whose monitor holds the mocks. */
function isMocked(): boolean {
  const monitor = pulumi.runtime.getMonitor();
  return monitor !== undefined && "mocks" in monitor;
}

function refuseProvider(name: string, { provider }: pulumi.InvokeOptions): void {
  if (provider === undefined) return;
  throw new InvalidInputError(
    "provider",
    `${name} runs in the program itself, with the environment's or the stack's configuration \`management:*\`, ` +
      "and takes no `provider`: leave it out, or use the generated SDK of the plugin.",
  );
}

/** Loaded by the first call: a program that calls no function needs neither schemas nor HTTP client. */
function loadRuntime(): typeof import("./functions-runtime") {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it at the start
  return require("./functions-runtime") as typeof import("./functions-runtime");
}

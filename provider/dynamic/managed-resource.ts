import { quoteText } from "../../spec/shown-text";
import * as pulumi from "@pulumi/pulumi";
import { InvalidInputError } from "../client/errors/errors";
import { requireMapValues, type MapInput } from "./map-inputs";
import { MARKED, listSecretInputs } from "./secret-inputs";
import { keepAnswersOutOfDebugLog } from "../process/engine-log/quiet-debug-log";
import { createRequire } from "node:module";
import { join } from "node:path";

keepAnswersOutOfDebugLog();

/** What the generated classes know of their type. */
export interface ResourceShape {
  readonly type: string;
  readonly inputs: readonly string[];
  readonly maps: readonly MapInput[];
  readonly secretInputs: readonly string[];
  readonly outputs: readonly string[];
  readonly secretOutputs: readonly string[];
}

/** The base of all resource classes: a custom resource whose dynamic provider is this package's. */
export abstract class ManagedResource extends pulumi.CustomResource {
  protected constructor(
    shape: ResourceShape,
    name: string,
    args: object | undefined,
    opts: pulumi.CustomResourceOptions | undefined,
  ) {
    requireOwnDependency();
    if (opts?.import !== undefined) throw createNotImportableError(shape.type, name, opts.import);
    const inputs: Record<string, unknown> = {};
    const checked = requireMapValues(`${shape.type} ${name}`, { ...args }, shape.maps);
    for (const [key, value] of Object.entries(checked)) {
      if (value === undefined) continue;
      inputs[key] = shape.secretInputs.includes(key) ? pulumi.secret(value) : value;
    }
    const outputs = Object.fromEntries(shape.outputs.map((key) => [key, undefined]));
    const resumeStackTraces = pauseStackTraces();
    try {
      super(
        `pulumi-nodejs:dynamic/management:${shape.type}`,
        name,
        {
          ...outputs,
          ...Object.fromEntries(shape.inputs.map((key) => [key, undefined])),
          ...inputs,
          __provider: `exports.handler = () => require("pulumi-management/dynamic").provider(${JSON.stringify(shape.type)})`,
          // What is only read belongs to no program.
          ...(opts?.id === undefined && {
            __owner: `${readOrganization()}/${pulumi.getProject()}/${pulumi.getStack()}/${collectParentTypes(opts)}${name}`,
            [MARKED]: listSecretInputs(inputs),
          }),
        },
        pulumi.mergeOptions(opts, {
          additionalSecretOutputs: [...shape.secretInputs, ...shape.secretOutputs],
        }),
      );
    } catch (error) {
      resumeStackTraces();
      // Where the program made the resource.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    } finally {
      resumeStackTraces();
    }
  }
}

/** The engine would fail within Pulumi's own dynamic provider, with words that no user knows. */
function createNotImportableError(type: string, name: string, importId: string): InvalidInputError {
  const adoptId = importId.slice(importId.indexOf("/") + 1);
  return new InvalidInputError(
    "import",
    `${type} ${name}: Pulumi cannot import into the classes of this package. Nothing was imported. ` +
      `Remove the option \`import\` and add the input \`adoptId: ${quoteText(adoptId)}\`, then run \`pulumi preview\`: ` +
      "`pulumi up` takes over the existing object and changes what differs from the program. Only the plugin can import.",
  );
}

/** The types of the parents, as in a URN: below different ones a name may stand twice. */
function collectParentTypes(opts: pulumi.CustomResourceOptions | undefined): string {
  let above = "";
  // The SDK keeps both for itself, under these names.
  for (let at: unknown = opts?.parent; typeof at === "object" && at !== null;) {
    const type: unknown = Reflect.get(at, "__pulumiType");
    if (typeof type === "string" && type !== "pulumi:pulumi:Stack") above = `${type}$${above}`;
    at = Reflect.get(at, "__parentResource");
  }
  return above;
}

/** A program's unit test with Pulumi's mocks usually names none, and the SDK throws then. */
function readOrganization(): string {
  try {
    return pulumi.getOrganization();
  } catch {
    return "organization";
  }
}

const MODULE = "pulumi-management/dynamic";

/** A program may change it before it makes a resource; the engine's process begins here. */
const programFolder = process.cwd();

let isFound = false;

/**
 * Fails where the process in which the engine runs the resources would not find this package: it looks for it by its name,
 * from the program's folder. Other starts than that by Pulumi's command, as by Jest, have nothing to do with that folder.
 */
export function requireOwnDependency(): void {
  if (isFound || !isRunByPulumi()) return;
  try {
    createRequire(join(programFolder, "index.js")).resolve(MODULE);
    isFound = true;
  } catch (error) {
    if (Reflect.get(Object(error), "code") !== "MODULE_NOT_FOUND") throw error;
    throw new Error(
      `Cannot find module '${MODULE}' from the program's folder ${programFolder}. ` +
        "Pulumi runs the resources of this package in a separate process, which loads it by that name from that folder. " +
        "The program itself loads it from elsewhere: as a dependency of another package, by an alias or in a bundle. " +
        "Add pulumi-management under this name to the program's own package.json and install it.",
      { cause: error },
    );
  }
}

function isRunByPulumi(): boolean {
  return /[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]run(?:$|[\\/])/.test(process.argv[1] ?? "");
}
/**
 * Pauses stack traces and returns what resumes them. The SDK takes four for each property of a resource, maps each through
 * the source maps, and shows them only where `PULUMI_DEBUG_PROMISE_LEAKS` is set: a fifth of a program's time.
 */
export function pauseStackTraces(): () => void {
  const limit = Error.stackTraceLimit;
  if (process.env["PULUMI_DEBUG_PROMISE_LEAKS"] === undefined) Error.stackTraceLimit = 0;
  return () => {
    Error.stackTraceLimit = limit;
  };
}

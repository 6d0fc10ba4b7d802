import * as pulumi from "@pulumi/pulumi";
import { InvalidInputError } from "../client/errors/errors";
import { MARKED } from "./marked-secrets";
import { keepAnswersOutOfDebugLog } from "../process/quiet-debug-log";
import { requireOwnDependency } from "./own-dependency";
import { secretInputs } from "./secret-inputs";
import { pauseStackTraces } from "./stack-traces";

keepAnswersOutOfDebugLog();

/** What the generated classes know of their type. */
export interface ResourceShape {
  readonly type: string;
  readonly inputs: readonly string[];
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
    if (opts?.import !== undefined) throw notImportable(shape.type, name, opts.import);
    const inputs: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(args ?? {}) as [string, unknown][]) {
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
            __owner: `${organization()}/${pulumi.getProject()}/${pulumi.getStack()}/${typesAbove(opts)}${name}`,
            [MARKED]: secretInputs(inputs),
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
function notImportable(type: string, name: string, importId: string): InvalidInputError {
  const adoptId = importId.slice(importId.indexOf("/") + 1);
  return new InvalidInputError(
    "import",
    `${type} ${name}: Pulumi cannot import into the classes of this package. Nothing was imported. ` +
      `Remove the option \`import\` and add the input \`adoptId: ${JSON.stringify(adoptId)}\`, then run \`pulumi preview\`: ` +
      "`pulumi up` takes the existing object over and changes what differs from the program. The plugin can import.",
  );
}

/** The types of the parents, as in a URN: below different ones a name may stand twice. */
function typesAbove(opts: pulumi.CustomResourceOptions | undefined): string {
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
function organization(): string {
  try {
    return pulumi.getOrganization();
  } catch {
    return "organization";
  }
}

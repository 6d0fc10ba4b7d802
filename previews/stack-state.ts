import { z } from "zod";
import { parseJson } from "../provider/client/parse-json";
import type { BranchFacts } from "../provider/resources/branches/shared/preview-identity";
import type { Output } from "./env-text";
import { isObject } from "../spec/is-object";

/** How the engine writes a secret into a state. */
const SECRET = "4dabf18193072939515e22adb298388d";

/** The type of a branch, by the plugin and by the dynamic classes. */
const BRANCH = /\bmanagement:(?:index:)?Branch$/;
const STACK = "pulumi:pulumi:Stack";

const encrypted = z.looseObject({ [SECRET]: z.string() });
const hidden = encrypted.extend({ plaintext: z.string() });
const properties = z.record(z.string(), z.unknown());
const resource = z.looseObject({
  urn: z.string().optional(),
  type: z.string(),
  custom: z.boolean().optional(),
  id: z.string().optional(),
  inputs: properties.optional(),
  outputs: properties.optional(),
});
const exported = z.looseObject({
  deployment: z.looseObject({
    resources: z.array(resource).nullish(),
    pending_operations: z.array(z.looseObject({ resource })).nullish(),
  }),
});

/** A resource in a state, with its secrets as they are. */
export interface StateResource {
  /** The one that it names, and that of its URN where it is another: the engine goes by either. */
  readonly types: readonly string[];
  /** Whether a provider manages it. */
  readonly isCustom: boolean;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
  /** Names of the outputs with a secret in them. */
  readonly secretOutputs: readonly string[];
}

/** The state of a stack as the CLI exports it. */
export interface StackState {
  /** Those of interrupted operations, too. */
  readonly resources: readonly StateResource[];
  /** Whether something beside the branches exists, on them or elsewhere. */
  readonly holdsMore: boolean;
  /** The branches among them. One whose creation was interrupted has no reference: it may exist or not. */
  readonly branches: readonly BranchFacts[];
  /** The outputs of the program. */
  readonly outputs: readonly Output[];
}

export function parseStackState(text: string): StackState {
  const { resources, pending_operations: pending } = parseExported(text).deployment;
  const all = [...(resources ?? []), ...(pending ?? []).map((each) => each.resource)].map(
    ({ inputs = {}, outputs = {}, ...named }): StateResource => ({
      types: listTypes(named),
      isCustom: named.custom === true,
      inputs: revealEach(inputs),
      outputs: revealEach(outputs),
      secretOutputs: Object.keys(outputs).filter((name) => holdsSecret(outputs[name])),
    }),
  );
  return {
    resources: all,
    holdsMore: (resources ?? []).some(
      ({ custom, id, ...named }) =>
        custom === true &&
        id !== undefined &&
        listTypes(named).some((type) => !type.startsWith("pulumi:providers:") && !BRANCH.test(type)),
    ),
    branches: all.filter(({ types }) => types.some((type) => BRANCH.test(type))).map(toBranch),
    outputs: Object.entries(resources?.find(({ type }) => type === STACK)?.outputs ?? {}).map(
      ([name, value]) => ({ name, value: reveal(value), isSecret: holdsSecret(value) }),
    ),
  };
}

/** In a URN, what is above the resource stands before its own type. */
function listTypes({ type, urn }: { readonly type: string; readonly urn?: string | undefined }): string[] {
  const [, , path = type] = urn?.split("::") ?? [];
  return [...new Set([type, path.slice(path.lastIndexOf("$") + 1)])];
}

function toBranch({ inputs, outputs }: StateResource): BranchFacts {
  return {
    ref: text(outputs["ref"]),
    name: text(inputs["name"]),
    parentRef: text(inputs["projectRef"]),
    // The service tells these two, and is asked.
    isDefault: false,
    persistent: false,
    gitBranch: text(inputs["gitBranch"]),
    pullRequest: typeof inputs["pullRequest"] === "number" ? inputs["pullRequest"] : undefined,
  };
}

/** Says nothing of what is in it: secrets are. */
function parseExported(state: string): z.output<typeof exported> {
  const { success, data } = exported.safeParse(parseJson(state));
  if (success) return data;
  throw new Error("The state of the stack cannot be read, because its format is unknown.");
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function revealEach(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, reveal(value)] as const));
}

/** A value with the secrets in it, where the export shows them. */
function reveal(value: unknown): unknown {
  const { success, data } = hidden.safeParse(value);
  if (success) return reveal(parseJson(data.plaintext));
  if (Array.isArray(value)) return value.map(reveal);
  return isObject(value) ? revealEach(value) : value;
}

function holdsSecret(value: unknown): boolean {
  if (encrypted.safeParse(value).success) return true;
  if (Array.isArray(value)) return value.some(holdsSecret);
  return isObject(value) && Object.values(value).some(holdsSecret);
}

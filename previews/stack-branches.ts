import { z } from "zod";
import { parseJson } from "../provider/client/parse-json";
import type { BranchFacts } from "../provider/resources/branches/shared/preview-identity";

/** How the engine writes a secret into a state that is exported with its secrets shown. */
const SECRET = "4dabf18193072939515e22adb298388d";

/** The type of a branch, by the plugin and by the dynamic classes. */
const BRANCH = /\bmanagement:(?:index:)?Branch$/;

const hidden = z.looseObject({ [SECRET]: z.string(), plaintext: z.string() });
const properties = z.record(z.string(), z.unknown());
const resource = z.looseObject({
  type: z.string(),
  inputs: properties.optional(),
  outputs: properties.optional(),
});
const exported = z.looseObject({
  deployment: z.looseObject({
    resources: z.array(resource).nullish(),
    pending_operations: z.array(z.looseObject({ resource })).nullish(),
  }),
});

/** The branches in the state of a stack. One whose creation was interrupted has no reference: it may exist or not. */
export function branchesOfState(state: string): readonly BranchFacts[] {
  const { resources, pending_operations: pending } = parsed(state).deployment;
  return [...(resources ?? []), ...(pending ?? []).map((each) => each.resource)]
    .filter(({ type }) => BRANCH.test(type))
    .map(({ inputs = {}, outputs = {} }) => ({
      ref: text(outputs["ref"]),
      name: text(inputs["name"]),
      parentRef: text(inputs["projectRef"]),
      // The service tells these two, and is asked.
      isDefault: false,
      persistent: false,
      gitBranch: text(inputs["gitBranch"]),
      pullRequest: number(inputs["pullRequest"]),
    }));
}

/** Says nothing of what is in it: secrets are. */
function parsed(state: string): z.output<typeof exported> {
  const { success, data } = exported.safeParse(parseJson(state));
  if (success) return data;
  throw new Error("The state of the stack cannot be read, because its format is unknown.");
}

function text(value: unknown): string | undefined {
  const shown = revealed(value);
  return typeof shown === "string" ? shown : undefined;
}

function number(value: unknown): number | undefined {
  const shown = revealed(value);
  return typeof shown === "number" ? shown : undefined;
}

function revealed(value: unknown): unknown {
  const { success, data } = hidden.safeParse(value);
  return success ? parseJson(data.plaintext) : value;
}

import type { AnyFunction } from "../define/function";
import type { CheckFailure } from "../define/resource";
import { describeIssues, NO_REDACTION, type Redaction } from "./schema/describe-issue";
import { inputProblems } from "./step/problems";
import { listUnlistedValues } from "./schema/unlisted-values";
import { createContext, READ_TIMEOUT_SECONDS, type Runtime } from "./step/runtime";
import { omitUndefined, type Values } from "../define/values";

/** Validates without any call; every failure at once. Arguments are known: Pulumi calls no function with unknown ones. */
export function checkArguments(
  definition: AnyFunction,
  given: Values,
  redaction: Redaction = NO_REDACTION,
): readonly CheckFailure[] {
  const parsed = definition.inputs.safeParse(omitUndefined(given));
  return describeIssues(parsed.error?.issues ?? [], definition.inputs, given, redaction);
}

/** The function's answer, in clear; `wrapSecrets` marks what is secret in it. The arguments have passed `checkArguments`. */
export async function invokeFunction(
  runtime: Runtime,
  definition: AnyFunction,
  given: Values,
  redaction: Redaction = NO_REDACTION,
): Promise<Values> {
  const ctx = createContext(runtime, { label: definition.name, seconds: READ_TIMEOUT_SECONDS });
  const inputs = definition.inputs.parse(omitUndefined(given));
  for (const { path, ...told } of listUnlistedValues(definition, given, new Set(), redaction))
    ctx.warn(inputProblems.unlisted.message({ path, ...told }));
  return omitUndefined(await definition.run(ctx, inputs));
}

import type { z } from "zod";
import type { Problems } from "../client/errors/problem";
import type { Context } from "./context";

// A method, not a function property: so that a definition of known fields is assignable to `AnyFunction`.
/** A read-only function: what it takes, what it answers, and how it asks the service. */
export interface FunctionDefinition<I = unknown, O = unknown> {
  /** Pulumi function name, as `getProject`. */
  readonly name: string;
  readonly description: string;
  readonly inputs: z.ZodObject;
  readonly outputs: z.ZodObject;
  /** What it throws besides what any call can. */
  readonly problems?: Problems | undefined;
  /** Asks the service; reads of a collection go through `ctx.shared.list`. Throws what the client throws. */
  run(ctx: Context, inputs: I): Promise<O>;
}

/** Checks a definition against its own schemas at compile time. */
export function defineFunction<IS extends z.ZodObject, OS extends z.ZodObject>(
  definition: Omit<FunctionDefinition<z.output<IS>, z.output<OS>>, "inputs" | "outputs"> & {
    inputs: IS;
    outputs: OS;
  },
): FunctionDefinition<z.output<IS>, z.output<OS>> & { inputs: IS; outputs: OS } {
  return definition;
}

/** Any definition, as `provider/engine` and the adapters handle it. */
export type AnyFunction = FunctionDefinition<Record<string, unknown>, Record<string, unknown>>;

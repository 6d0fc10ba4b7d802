import { environmentOf } from "../config-spec";
import type { PackageSpec } from "../package-spec";
import { fault, type Fault } from "./fault";
import { everyProperty } from "./property-sets";

/** Values that generated code would show, lose or not hold. */
export function valueFaults(schema: PackageSpec): Fault[] {
  return everyProperty(schema).flatMap(({ path, spec, in: { kind } }) => {
    const { const: constant, default: usual, secret, type, description = "" } = spec;
    const checks: readonly (readonly [isFault: boolean, message: string])[] = [
      [
        constant !== undefined && usual !== undefined,
        "has a default beside its only value, which wins: remove it",
      ],
      [
        secret === true && usual !== undefined,
        "is a secret with a default, which generated code has in plain text: remove the default",
      ],
      [
        kind === "config" && environmentOf(description) === undefined,
        "does not say which environment variable sets it: end its description with `Environment: NAME.`",
      ],
      [
        type === "integer" && /\bmilliseconds since|\bbytes\b/i.test(description),
        "is an integer that needs more than 32 bits: make it a z.number(), or ISO 8601 text",
      ],
    ];
    return checks.flatMap(([isFault, message]) => (isFault ? [fault(path, message)] : []));
  });
}

import type { Values } from "../provider/define/values";
import { UNIT_SECONDS } from "./duration-units";

/** How long each step of a resource may take, in the notation that Terraform and Pulumi's option share: `{ create: "1h30m" }`. */
export type CustomTimeouts = Readonly<Partial<Record<TimeoutStep, string>>>;

const STEPS = ["create", "update", "delete"] as const;
type TimeoutStep = (typeof STEPS)[number];

/** Those of the given ones that Pulumi knows, in its order; undefined where there are none. */
export function customTimeoutsOf(given: Readonly<Record<string, string>> = {}): CustomTimeouts | undefined {
  const known = STEPS.flatMap((step) => {
    const duration = given[step];
    return duration === undefined || parseDurationSeconds(duration) === undefined
      ? []
      : [[step, duration] as const];
  });
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

/** The same in seconds, as the engine's state has them. */
export function toTimeoutSeconds(timeouts: CustomTimeouts): Values {
  return Object.fromEntries(
    Object.entries(timeouts).map(([step, text]) => [step, parseDurationSeconds(text)]),
  );
}

const LONGEST_SECONDS = 86_400;

/** The input `timeouts` of the classes, which takes whole seconds up to a day. */
export function toTimeoutsInput(timeouts: CustomTimeouts): Values {
  return Object.fromEntries(
    Object.entries(timeouts).map(([step, text]) => {
      const seconds = Math.ceil(parseDurationSeconds(text) ?? LONGEST_SECONDS);
      return [step, Math.min(Math.max(seconds, 1), LONGEST_SECONDS)];
    }),
  );
}

function parseDurationSeconds(duration: string): number | undefined {
  if (!/^(?:[\d.]+(?:h|m|s|ms|us|µs|ns))+$/.test(duration)) return undefined;
  const parts = [...duration.matchAll(/([\d.]+)([a-zµ]+)/g)];
  const seconds = parts.reduce(
    (sum, [, count, unit = ""]) => sum + Number(count) * (UNIT_SECONDS[unit] ?? NaN),
    0,
  );
  return Number.isFinite(seconds) ? seconds : undefined;
}

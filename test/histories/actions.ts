import fc from "fast-check";
import type { FaultRule } from "../../emulator";
import type { OperationName } from "../../spec/table";
import type { Death } from "../kit/mortal-process";
import { samples } from "../kit/samples";
import { faultyOperations, kinds } from "./object-kinds";

export const STACKS = ["dev", "prod"] as const;
export type StackName = (typeof STACKS)[number];

/** How a program declares one of the samples. */
export type Shape = "absent" | "first" | "changed" | "made-up";

/** One thing that happens. */
export type Action =
  | { readonly kind: "declare"; readonly stack: StackName; readonly type: string; readonly shape: Shape }
  | { readonly kind: "up" | "refresh"; readonly stack: StackName; readonly death?: Death | undefined }
  | { readonly kind: "both up"; readonly deaths: readonly (Death | undefined)[] }
  | { readonly kind: "fault"; readonly rule: FaultRule }
  | { readonly kind: "others make"; readonly stack: StackName; readonly type: string }
  | { readonly kind: "others edit"; readonly stack: StackName; readonly type: string }
  | { readonly kind: "others remove"; readonly stack: StackName; readonly type: string }
  | { readonly kind: "a stranger copies"; readonly copy: Copy }
  | { readonly kind: "time"; readonly minutes: number };

/** What a stranger makes: the very same as a stack, by the very same call. */
export interface Copy {
  readonly stack: StackName;
  readonly operation: OperationName;
  /** The type that the stack declares, where the stranger acts just before its create; else a while after the last one. */
  readonly before?: string | undefined;
  /** What becomes of the stack's own call then. */
  readonly fault?: FaultRule | undefined;
}

const stack = fc.constantFrom(...STACKS);
// A project takes long to make, and what stands in it longer.
const type = fc.constantFrom(
  ...samples
    .filter(({ needsOwnProject }) => needsOwnProject !== true)
    .flatMap((sample) => Array<string>(sample.needsProject ? 3 : 1).fill(sample.type)),
);
const typesOf = (capability: "make" | "remove"): fc.Arbitrary<string> =>
  fc.constantFrom(...Object.keys(kinds).filter((name) => kinds[name]?.[capability] !== undefined));

export const deathOfProcess = fc.option(
  fc.record({
    at: fc.oneof(fc.nat(8), fc.nat(25), fc.nat(60)),
    isUnderWay: fc.boolean(),
    isOfEngine: fc.boolean(),
  }),
  { nil: undefined },
);

const PAGE = "<html><body>Bad Gateway</body></html>";
/** One of these operations fails. */
export function faultOf(operations: readonly OperationName[]): fc.Arbitrary<FaultRule> {
  const rule = fc.constantFrom<FaultRule>(
    { status: 429 },
    { status: 500 },
    { status: 500, after: true },
    { status: 502, body: PAGE },
    { status: 502, body: PAGE, after: true },
    { status: 503 },
    { drop: "before" },
    { drop: "after" },
    { drop: "midway" },
    { status: 200, body: PAGE },
    { status: 200, after: true, body: {} },
  );
  return (
    fc
      .tuple(fc.constantFrom(...operations), rule, fc.constantFrom(1, 1, 2, 6))
      // An empty object in place of a list is nonsense; in place of settings it would be true.
      .filter(([operation, { body }]) => typeof body !== "object" || operation.startsWith("list"))
      .map(([operation, given, times]) => ({ ...given, operation, times }))
  );
}

/** Creates that make a second object, or are refused, where there is one already. */
const APART = [
  ["createApiKey", "ApiKey"],
  ["createSsoProvider", "SsoProvider"],
  ["createThirdPartyAuth", "ThirdPartyAuth"],
] as const;
/** Those that replace what is there without a word: nothing tells what was made between the look and the write. */
const REPLACING = ["createSecrets", "deployFunction", "patchNetworkRestrictions"] as const;

const copyBefore = fc
  .record({
    stack,
    create: fc.constantFrom(...APART),
    fault: fc.constantFrom<FaultRule | undefined>(
      undefined,
      { status: 500 },
      { status: 500, after: true },
      { status: 502, body: PAGE },
      { status: 503 },
      { drop: "before" },
      { status: 200, body: PAGE },
    ),
  })
  .map(({ stack: name, create: [operation, before], fault: rule }): Copy => ({
    stack: name,
    operation,
    before,
    fault: rule,
  }));
const copyLater = fc.record({
  stack,
  operation: fc.constantFrom(...APART.map(([operation]) => operation), ...REPLACING),
});
const copy: fc.Arbitrary<Copy> = fc.oneof(copyBefore, copyLater);

export const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("declare" as const),
      stack,
      type,
      shape: fc.constantFrom<Shape>("first", "first", "changed", "made-up", "absent"),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("up" as const), stack, death: deathOfProcess }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("refresh" as const), stack, death: deathOfProcess }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("both up" as const),
      deaths: fc.array(deathOfProcess, { minLength: 2, maxLength: 2 }),
    }),
  },
  { weight: 3, arbitrary: faultOf(faultyOperations).map((rule) => ({ kind: "fault" as const, rule })) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("others make" as const), stack, type: typesOf("make") }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("others edit" as const), stack, type }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("others remove" as const), stack, type: typesOf("remove") }),
  },
  { weight: 2, arbitrary: copy.map((made) => ({ kind: "a stranger copies" as const, copy: made })) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("time" as const), minutes: fc.nat(60) }) },
);

/** What is said of a run that dies; nothing of one that does not. */
export function describeDeath(death: Death | undefined): string {
  if (death === undefined) return "";
  const who = death.isOfEngine === true ? "whose engine dies" : "which dies";
  return `, ${who} at point ${death.at}${death.isUnderWay === true ? " with a write under way" : ""}`;
}

/** As a line of a report. */
export function describeAction(action: Action): string {
  switch (action.kind) {
    case "declare":
      return `${action.stack} declares a ${action.type}: ${action.shape}`;
    case "up":
    case "refresh":
      return `${action.kind} of ${action.stack}${describeDeath(action.death)}`;
    case "both up":
      return `both up: ${STACKS.map((name, index) => `${name}${describeDeath(action.deaths[index])}`).join("; ")}`;
    case "fault":
      return `a fault: ${JSON.stringify(action.rule)}`;
    case "time":
      return `${action.minutes} minutes pass`;
    case "a stranger copies":
      return `a stranger makes the same as ${action.copy.stack}: ${JSON.stringify(action.copy)}`;
    case "others make":
    case "others edit":
    case "others remove":
      return `${action.kind} a ${action.type} in the project of ${action.stack}`;
  }
}

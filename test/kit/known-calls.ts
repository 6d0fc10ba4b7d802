import type { ManagementClient } from "../../provider/client";
import type { Step } from "../../tools/fixtures/conditional-calls";
import type { AnyResource } from "../../provider/define/resource";
import type { Runtime } from "../../provider/engine/step/runtime";
import { operations } from "../../spec/table";
import { callsOf } from "../../tools/generate/recorded-calls";
import { operationUses } from "../../tools/schema/reference/operation-use";

/** What the lifecycle asks before something counts as gone. */
const OF_OWNERS = ["getProject", "getBranchConfig", "getOrganization", "listProjects", "listBranches"];

/** Runs a step with a client whose calls the page of the resource must list. */
export async function withKnownCalls<T>(
  resource: AnyResource,
  step: Step,
  runtime: Runtime,
  work: (runtime: Runtime) => Promise<T>,
): Promise<T> {
  const called = new Set<string>();
  const client = noting(runtime.client(), called);
  try {
    return await work({ ...runtime, client: () => client });
  } finally {
    requireKnown(resource, step, called);
  }
}

/** Throws for a call that the page of the resource does not list at the step. */
export function requireKnown(resource: AnyResource, step: Step, called: Iterable<string>): void {
  // A new resource has no record yet.
  if (process.env["RECORD_CALLS"] !== undefined) return;
  const names = knownCalls(resource)[step];
  const unknown = [...called].filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  throw new Error(
    `${resource.type}.${step} calls ${unknown.join(" and ")}, which its fixture does not: say when in \`conditionalCalls\` of that.`,
  );
}

type CallsByStep = Readonly<Record<Step, readonly string[]>>;

const ofResources = new WeakMap<AnyResource, CallsByStep>();

function knownCalls(resource: AnyResource): CallsByStep {
  const earlier = ofResources.get(resource);
  if (earlier !== undefined) return earlier;
  const uses = operationUses(callsOf(resource.type));
  const at = (...steps: Step[]): string[] => {
    const known = uses.filter((use) =>
      [use.steps, ...use.sometimes.map(([, sometimes]) => sometimes)]
        .flat()
        .some((one) => steps.includes(one)),
    );
    return [...known.map(({ operation }) => operation), ...OF_OWNERS];
  };
  // Taking over and resuming read and change what is there.
  const changing = at("create", "read", "update");
  const calls = { create: changing, read: at("read"), update: changing, delete: at("delete") };
  ofResources.set(resource, calls);
  return calls;
}

function noting(client: ManagementClient, called: Set<string>): ManagementClient {
  const noted = (own: object, name: string): unknown => {
    const value: unknown = Reflect.get(own, name);
    if (typeof value !== "function") return value;
    return (...given: unknown[]): unknown => {
      if (Object.hasOwn(operations, name)) called.add(name);
      return Reflect.apply(value, own, given);
    };
  };
  const parts = new Proxy(client.parts, { get: (own, name) => noted(own, String(name)) });
  return new Proxy(client, {
    get: (own, name) => (name === "parts" ? parts : noted(own, String(name))),
  });
}

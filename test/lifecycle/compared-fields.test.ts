import type { z } from "zod";
import { listMarkedFields } from "../../provider/define/markers";
import { createStepContext } from "../../provider/engine/step/runtime";
import { createClaim, withId } from "../../provider/ledger/claim";
import type { Context } from "../../provider/define/context";
import type { Values } from "../../provider/define/values";
import type { AnyResource } from "../../provider/define/resource";
import { isReadableSettings, type ReadableSettings } from "../../provider/settings/settings";
import { patchPostgresConfigBody } from "../../spec/operations/current/postgres-settings";
import { updateAuthConfigBody } from "../../spec/auth-config-body";
import { newerAuthConfigFields } from "../../spec/auth-config-fields";
import { updateRealtimeConfigBody } from "../../spec/operations/realtime";
import { updateStorageConfigBody } from "../../spec/operations/storage";
import { isObject } from "../../spec/is-object";
import { shapeOf } from "../../spec/shape-of";
import { resourceOf, sampleOf } from "../kit/samples";
import { startScenario, type Scenario } from "../kit/scenario";

// Every setting has the same value in the answer about the whole project as in that of its own call.

interface Subject {
  readonly type: string;
  readonly body: z.ZodObject;
  /** What the body has besides settings. */
  readonly without?: readonly string[];
  /** Values of fields of which the body's schema takes others as well. */
  readonly texts?: Readonly<Record<string, readonly [string, string]>>;
  /** Sets all of it on the service. */
  readonly set: (scenario: Scenario, ref: string, body: Values) => void;
}

const subjects: readonly Subject[] = [
  {
    type: "AuthConfig",
    body: updateAuthConfigBody,
    set: ({ emulator }, ref, body) =>
      emulator.control.edit(({ projects }) => {
        const project = projects.get(ref);
        if (project === undefined) return;
        const newer = Object.entries(body).filter(([name]) => Object.hasOwn(newerAuthConfigFields, name));
        project.newer.auth = Object.fromEntries(newer);
        const older = Object.entries(body).filter(([name]) => !(name in project.newer.auth));
        project.auth.config = Object.fromEntries(older);
      }),
  },
  {
    type: "RealtimeConfig",
    body: updateRealtimeConfigBody,
    set: ({ emulator }, ref, body) => emulator.control.call("updateRealtimeConfig", { ref, body }),
  },
  {
    type: "StorageConfig",
    body: updateStorageConfigBody,
    set: ({ emulator }, ref, body) => emulator.control.call("updateStorageConfig", { ref, body }),
  },
  {
    type: "PostgresConfig",
    body: patchPostgresConfigBody,
    without: ["restart_database"],
    texts: { max_standby_archive_delay: ["30s", "31s"], max_standby_streaming_delay: ["30s", "31s"] },
    set: ({ emulator }, ref, body) => emulator.control.call("patchPostgresConfig", { ref, body }),
  },
];

/** Values of which a field takes the first one, or the next that it takes as well. */
const CANDIDATES: readonly unknown[] = [
  ...[true, false, 20, 21, 120, 121, 8, 9],
  ...["64MB", "65MB", "30s", "31s", "some-text", "another-text"],
  ...["https://one.example/", "https://two.example/", "4915112345678=123456", "4915112345678=654321"],
  ...["one@shop.example", "two@shop.example"],
  ...["2027-01-01T00:00:00Z", "2028-01-01T00:00:00Z"],
];

/** The two values that a body is tried with. */
function valueOf(schema: z.ZodType, at: 0 | 1): unknown {
  const shape = shapeOf(schema);
  if (shape.kind === "object")
    return Object.fromEntries(
      Object.entries(shape.fields).map(([name, field]) => [name, valueOf(field, at)]),
    );
  const options: readonly unknown[] = shape.kind === "enum" ? shape.constants : CANDIDATES;
  const fitting = options.filter((value) => schema.safeParse(value).success);
  return fitting[at] ?? fitting[0];
}

function bodyOf({ body, without = [], texts = {} }: Subject, at: 0 | 1): Values {
  const fields = Object.entries(body.shape).filter(([name]) => !without.includes(name));
  return Object.fromEntries(
    fields.map(([name, field]) => [name, texts[name]?.[at] ?? valueOf(field as z.ZodType, at)]),
  );
}

type Leaf = readonly [path: readonly string[], value: unknown];

/** Each declared value by its path. */
function leavesOf(values: Values, above: readonly string[] = []): Leaf[] {
  return Object.entries(values).flatMap(([name, value]): Leaf[] =>
    isObject(value) ? leavesOf(value, [...above, name]) : [[[...above, name], value]],
  );
}

function nested([first = "", ...rest]: readonly string[], value: unknown): Values {
  return { [first]: rest.length === 0 ? value : nested(rest, value) };
}

let scenario: Scenario;
let ref: string;
beforeEach(async () => {
  scenario = await startScenario({ newer: true });
  ref = scenario.healthyProject();
});
afterEach(() => scenario.close());

function configurationOf(type: string): AnyResource & ReadableSettings {
  const resource = resourceOf(sampleOf(type));
  if (!isReadableSettings(resource)) throw new Error(`${type} is no configuration`);
  return resource;
}

/** A run of which a configuration of another type waits already. */
async function beginRun(resource: AnyResource): Promise<Context> {
  scenario.nextRun();
  const state = { projectRef: ref };
  const ctx = createStepContext(scenario.runtime, resource, "read", state, {
    claim: withId(createClaim(resource, state), ref),
  });
  await ctx.shared.isForSeveral(`getProjectConfig:${ref}`, "of another type");
  return ctx;
}

/** Whether the answer about the whole project shows all of it as declared. */
async function isShown(
  ctx: Context,
  resource: AnyResource,
  inputs: Values,
  outputs: Values,
): Promise<boolean> {
  const state = {
    projectRef: ref,
    ...outputs,
    ...inputs,
    __declared: ["projectRef", ...Object.keys(inputs)],
  };
  const observed = await resource.read(ctx, { id: ref, state, isRefresh: true });
  return Object.keys(observed?.inputs ?? {}).join() === "projectRef";
}

async function readOutputs(resource: AnyResource & ReadableSettings): Promise<Values> {
  const all = await resource.readAll(await beginRun(resource), ref);
  const names = Object.keys(resource.outputs.shape);
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
}

it.each(subjects.map((subject) => [subject.type, subject] as const))(
  "%s: each setting that was set is compared, and no other value is taken for it",
  async (type, subject) => {
    const resource = configurationOf(type);
    const [set, other] = ([0, 1] as const).map((at) => bodyOf(subject, at));
    if (set === undefined || other === undefined) throw new Error("there are two bodies");
    subject.set(scenario, ref, set);
    const [inputs, others] = [set, other].map((body) => resource.inputsOf(body));
    if (inputs === undefined || others === undefined) throw new Error("there are two declarations");
    const outputs = await readOutputs(resource);
    const ctx = await beginRun(resource);
    const leaves = leavesOf(inputs);
    const otherLeaves = new Map(leavesOf(others).map(([path, value]) => [path.join("."), value]));
    const notShown: string[] = [];
    const mistaken: string[] = [];
    let compared = 0;
    for (const [path, value] of leaves) {
      const name = path.join(".");
      if (!(await isShown(ctx, resource, nested(path, value), outputs))) notShown.push(name);
      const unlike = otherLeaves.get(name);
      if (unlike === value) continue;
      compared += 1;
      if (await isShown(ctx, resource, nested(path, unlike), outputs)) mistaken.push(name);
    }
    expect({ notShown, mistaken }).toEqual({ notShown: [], mistaken: [] });
    expect(await isShown(ctx, resource, inputs, outputs)).toBe(true);
    // All that a program can declare.
    const declared = listSettings(resource);
    expect(leaves.map(([path]) => path.join(".")).sort()).toEqual(declared);
    expect(compared).toBe(leaves.length);
  },
);

it.each(subjects.map(({ type }) => type))("%s: a new project has nothing otherwise", async (type) => {
  const resource = configurationOf(type);
  const outputs = await readOutputs(resource);
  const all = await resource.readAll(await beginRun(resource), ref);
  const inputs = Object.fromEntries(
    Object.entries(all).filter(([name]) => !Object.hasOwn(resource.outputs.shape, name)),
  );
  const ctx = await beginRun(resource);
  const differing: string[] = [];
  for (const [path, value] of leavesOf(inputs)) {
    if (!(await isShown(ctx, resource, nested(path, value), outputs))) differing.push(path.join("."));
  }
  expect(differing).toEqual([]);
});

/** The settings of a configuration by path, without files and what is never compared. */
function listSettings(resource: AnyResource): string[] {
  const below = (shape: z.ZodObject, above: string): string[] =>
    listMarkedFields(shape).flatMap(([name, field, { local, computed, group, textOf }]) => {
      if (local === true || computed === true || textOf !== undefined) return [];
      const path = above + name;
      const inner = group === true ? shapeOf(field) : undefined;
      return inner?.kind === "object" ? below(inner.inner, `${path}.`) : [path];
    });
  const beside = ["projectRef", "extraSettings", "timeouts", "adopt", "adoptId"];
  return below(resource.inputs, "")
    .filter((name) => !beside.includes(name))
    .sort();
}

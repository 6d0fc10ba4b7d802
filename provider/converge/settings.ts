import { z } from "zod";
import { local } from "../define/markers";
import type { AnyResource, ResourceDefinition } from "../define/resource";
import { everyResource, projectRef } from "../define/shared-inputs";
import { Configuration, type AnySettings, type SettingsDefinition } from "./configuration";
import {
  foundBy,
  foundIn,
  fromOlderState,
  isDeclaredBy,
  isFound,
  isSet,
  NOTHING_FOUND,
  planFor,
  settingsBookkeeping,
} from "./found-settings";
import { settingsProblems } from "./problems";

/** Settings newer than this version of the provider. */
const extraSettings = {
  extraSettings: z
    .record(z.string(), z.unknown())
    .describe(
      "Settings that this version of the provider does not have yet, by their names in the API. Values are sent unchanged.",
    )
    .optional(),
};

type Bookkeeping = z.output<z.ZodObject<typeof settingsBookkeeping>>;

type Shown<R extends z.ZodRawShape> = { readonly [K in keyof R]?: z.output<R[K]> };

type SettingsInputs<S extends z.ZodRawShape, O extends z.ZodRawShape> = z.ZodObject<
  { projectRef: typeof projectRef } & S & O & typeof extraSettings & typeof everyResource,
  z.core.$strict
>;

/**
 * Makes a resource of a configuration: it reads, computes the part that is managed, writes, and restores what it found
 * when a setting, or the whole resource, is taken out of the program.
 */
export function defineSettings<
  S extends z.ZodRawShape,
  O extends z.ZodRawShape,
  B extends z.ZodObject,
  R extends z.ZodRawShape,
>(definition: SettingsDefinition<S, O, B, R>) {
  const inputs: SettingsInputs<S, O> = z.strictObject({
    projectRef,
    ...definition.settings,
    ...optionsOf(definition.options),
    ...extraSettings,
    ...everyResource,
  }) as unknown as SettingsInputs<S, O>; // Zod does not spread the shapes of type parameters.
  const outputs = z.object(definition.outputs);
  // Settings are handled by their names alone, so the exact types of their values are not needed below.
  const configuration = new Configuration(definition as unknown as AnySettings);
  const resource = toResource(configuration, inputs, outputs);
  // It has the definition's own schemas, from which its types are inferred.
  return resource as unknown as ResourceDefinition<z.output<SettingsInputs<S, O>>, Bookkeeping & Shown<R>> & {
    inputs: SettingsInputs<S, O>;
    outputs: typeof outputs;
  };
}

/** Options are never compared with what the service has. */
function optionsOf(options: z.ZodRawShape): Record<string, z.ZodType> {
  // Zod types fields by its core interface; every schema here is made by the classic API.
  return Object.fromEntries(
    Object.entries(options).map(([name, field]) => [name, local(field as z.ZodType)]),
  );
}

function toResource(configuration: Configuration, inputs: z.ZodObject, outputs: z.ZodObject): AnyResource {
  const { definition, form } = configuration;
  const { type, description, timeouts, conditionalCalls } = definition;
  const hasLasting = definition.mode === "merge" && !form.names.every((name) => form.canBeUnset(name));
  const problems = { ...(hasLasting ? settingsProblems : {}), ...definition.problems };
  const read: AnyResource["read"] = async (ctx, { id, state }) => {
    const wire = await configuration.seen(ctx, id);
    return {
      inputs: { ...form.observed(wire, state, id), projectRef: id },
      outputs: { ...form.outputsIn(wire), ...form.toOutputs(foundIn(state)) },
    };
  };
  return {
    type,
    description,
    inputs,
    outputs,
    bookkeeping: z.object(settingsBookkeeping),
    timeouts,
    problems,
    conditionalCalls,
    importId: {
      format: "<projectRef>",
      whereFound: "a project has exactly one",
      takesOver: form.properties,
      parse: (id) => (id === "" || id.includes("/") ? undefined : { id, inputs: { projectRef: id } }),
    },
    releasesRemovedInputs: true,
    isRepeatable: true,
    uniqueBy: [],
    shares: (state) => form.shared(state),
    upgrade: fromOlderState,
    check: ({ extraSettings: extra }) => ({ failures: form.extraFailures(extra) }),
    read,
    async create(ctx, declared) {
      const id = String(declared["projectRef"]);
      const found = await configuration.apply(ctx, id, declared, (current) =>
        planFor(form.declaredNames(declared), configuration.planning(ctx, id, declared, current, {})),
      );
      return { id, outputs: form.toOutputs(found) };
    },
    async settle(ctx, { id, state, inputs: declared }) {
      await definition.settle?.(ctx, id, declared);
      await configuration.waitUntilInForce(ctx, id);
      const observed = await read(ctx, { id, state });
      return observed ?? { inputs: {}, outputs: form.toOutputs(foundIn(state)) };
    },
    async update(ctx, { id, state, inputs: declared, changed }) {
      const kept = form.inThisVersion(foundIn(ctx.kept));
      const before = form.inThisVersion(foundBy(ctx, state));
      const [was, is] = [form.declared(state), form.declared(declared)];
      // Of an object that changed only what changed within it, so that a change can be ignored there.
      const isToPlan = (name: string): boolean =>
        form.properties.includes(name) ||
        !isFound(before, name) ||
        !isSet(is[name]) ||
        !form.isSameFor(id)(name, was[name], is[name]);
      // What a run that died had begun to manage may be declared no longer.
      const names = [...form.declaredNames(declared), ...form.declaredNames(state), ...form.names].filter(
        (name) => (form.isAmong(changed, name) && isToPlan(name)) || isFound(kept, name),
      );
      const found = await configuration.apply(ctx, id, declared, (current) =>
        planFor([...new Set(names)], configuration.planning(ctx, id, declared, current, state)),
      );
      return { outputs: form.toOutputs(found) };
    },
    async delete(ctx, { id, state }) {
      const { values, unset } = form.inThisVersion(foundBy(ctx, state));
      const found = { ...values, ...Object.fromEntries(unset.map((name) => [name, null])) };
      const wanted = Object.fromEntries(
        Object.entries(found).filter(([name]) => !isDeclaredBy(ctx.others, name)),
      );
      await configuration.apply(ctx, id, state, () => ({ wanted, found: NOTHING_FOUND }));
      const options = Object.keys(definition.options).map((name) => [name, state[name]] as const);
      await definition.settle?.(ctx, id, Object.fromEntries(options));
    },
  };
}

import type { Declared, UpOptions } from "../crash/model-engine";
import { isAsChanged, resourceOf } from "../lifecycle/samples";
import type { EditBench } from "./edit-bench";

/** An ordinary edit of a program: what its author does, and what must have come of it. */
export interface Edit {
  readonly title: string;
  /** Only what a machine remembers of earlier runs protects here. */
  readonly needsMemory?: true;
  /** Returns how it went, in words. Throws where something is lost, made twice or not as declared. */
  readonly make: (bench: EditBench) => Promise<string>;
}

const COMPONENT = "shop:index:Backend$";
const WRAPPER = "pulumi-nodejs:dynamic/management:Wrapped$";
const OTHER_TYPE = "pulumi-nodejs:dynamic/management:It";

/** The resource gets another URN and no alias; what the refusal advises is then done, step by step. */
function anotherUrn(title: string, changed: Partial<Declared>, options?: UpOptions): Edit {
  return {
    title,
    make: async (bench) => {
      const before = await bench.object();
      const edited = bench.declared(changed);
      const [refusal] = (await bench.tryUp([edited], bench.engine, options)).failures;
      await requireSame(bench, before);
      if (refusal === undefined) {
        // What was not named is removed by the next run.
        if (options !== undefined) await bench.up([edited]);
        await requireSame(bench, before);
        await bench.requireInForce([edited]);
        return "goes on with it";
      }
      const named = /`aliases: \["([^"]+)"\]`/.exec(refusal.message)?.[1];
      const isTold = refusal.message.includes('`aliases: [{ name: "<its old name>" }]`');
      const alias = named ?? (bench.isForgetful && isTold ? bench.urn : undefined);
      if (alias === undefined) throw refusal;
      const aliased = { ...edited, alias };
      const { steps } = await bench.up([aliased], bench.engine, options);
      if (steps.length > 0) throw new Error(`with the alias it does ${steps.join()}`);
      await requireSame(bench, before);
      await bench.requireInForce([aliased]);
      return "refused, kept by `aliases`";
    },
  };
}

/** It is to be replaced although nothing differs; what the refusal advises is then done. */
function replacedByForce(title: string, options?: UpOptions): Edit {
  return {
    title,
    make: async (bench) => {
      const before = await bench.object();
      const id = idOf(bench);
      const [refusal] = (await bench.tryUp([{ ...bench.it, isReplaced: true }], bench.engine, options))
        .failures;
      if (refusal === undefined) {
        await bench.requireInForce([bench.it]);
        return "replaced";
      }
      await requireSame(bench, before);
      if (!refusal.message.includes("`deleteBeforeReplace: true`")) throw refusal;
      const first = refusal.message.indexOf("deleteBeforeReplace");
      if (first > refusal.message.indexOf("adoptId:")) throw new Error("adopt is offered first");
      const replaced = { ...bench.it, isReplaced: true, deleteBeforeReplace: true };
      if (bench.sample.clearAway !== undefined) {
        // The delete leaves the object, and so it is there all the same.
        await bench.refused([replaced]);
        await requireSame(bench, before);
        await bench.up([bench.declared({ adoptId: id })]);
        await bench.requireInForce([bench.it]);
        return "refused, adopted";
      }
      await bench.up([replaced], bench.engine, options);
      await bench.requireInForce([bench.it]);
      return "refused, replaced by `deleteBeforeReplace`";
    },
  };
}

async function requireSame(bench: EditBench, before: string): Promise<void> {
  if ((await bench.object()) !== before) throw new Error("the object is not what it was");
}

function idOf(bench: EditBench): string {
  return bench.engine.get("it")?.id ?? "";
}

/** The old record goes, the object stays with the new one, and a warning says so. */
async function requireLeft(bench: EditBench, before: string): Promise<string> {
  await requireSame(bench, before);
  if (!bench.warnings.some((line) => line.includes("stays as it is")))
    throw new Error("no warning says who has it");
  return "left to the new one";
}

export const edits: readonly Edit[] = [
  anotherUrn("rename", { name: "renamed" }),
  anotherUrn("move below a component", { below: COMPONENT }),
  anotherUrn("change of a type above it", { below: WRAPPER }),
  anotherUrn("change of type", { leaf: OTHER_TYPE }),
  anotherUrn("rename with --target", { name: "renamed" }, { targets: ["renamed"] }),
  {
    title: "change with --target",
    make: async (bench) => {
      const program = [bench.changed()];
      const before = await bench.object();
      const { steps } = await bench.up(program, bench.engine, { targets: ["another"] });
      if (steps.length > 0) throw new Error(`what is not named does ${steps.join()}`);
      await requireSame(bench, before);
      await bench.up(program, bench.engine, { targets: ["it"] });
      await bench.requireInForce(program, bench.engine, bench.sample.changesBack === true ? 0 : 1);
      return isAsChanged(bench.sample, await bench.shown()) ? "changed" : "unchanged";
    },
  },
  {
    title: "rename, going on after errors",
    make: async (bench) => {
      const before = await bench.object();
      const edited = bench.declared({ name: "renamed" });
      const { failures } = await bench.tryUp([edited], bench.engine, { continuesOnError: true });
      await requireSame(bench, before);
      if (failures.length === 0) return "goes on with it";
      if (bench.engine.get("it") === undefined) throw new Error("the record is lost");
      await bench.up([{ ...edited, alias: bench.urn }]);
      await requireSame(bench, before);
      return "refused, kept by `aliases`";
    },
  },
  {
    title: "rename with adopt",
    make: async (bench) => {
      const before = await bench.object();
      const edited = bench.declared({ name: "renamed", adoptId: idOf(bench) });
      await bench.up([edited]);
      await bench.requireInForce([edited]);
      return requireLeft(bench, before);
    },
  },
  {
    title: "rename with adopt, the old one removed by a later --target",
    needsMemory: true,
    make: async (bench) => {
      const before = await bench.object();
      const edited = bench.declared({ name: "renamed", adoptId: idOf(bench) });
      await bench.up([edited], bench.engine, { targets: ["renamed"] });
      await bench.destroy(bench.engine, { targets: ["it"] });
      await bench.requireInForce([edited]);
      return requireLeft(bench, before);
    },
  },
  replacedByForce("replace by force"),
  replacedByForce("replace by force with --target", { targets: ["it"] }),
  {
    title: "replace by force with adopt",
    make: async (bench) => {
      const before = await bench.object();
      await bench.up([{ ...bench.declared({ adoptId: idOf(bench) }), isReplaced: true }]);
      await bench.requireInForce([bench.it]);
      return requireLeft(bench, before);
    },
  },
  {
    title: "lost from state, adopted",
    make: async (bench) => {
      const before = await bench.object();
      const id = idOf(bench);
      bench.engine.stateDelete("it");
      const [refusal] = (await bench.tryUp([bench.it])).failures;
      await requireSame(bench, before);
      const program = refusal === undefined ? [bench.it] : [bench.declared({ adoptId: id })];
      await bench.up(program);
      await requireSame(bench, before);
      await bench.requireInForce(program);
      return refusal === undefined ? "goes on with it" : "refused, adopted";
    },
  },
  {
    title: "adopted with another value",
    make: async (bench) => {
      const id = idOf(bench);
      bench.engine.stateDelete("it");
      const program = [bench.changed(id)];
      await bench.up(program);
      await bench.requireInForce(program, bench.engine, bench.sample.changesBack === true ? 0 : 1);
      if (idOf(bench) !== id) throw new Error("it is another object");
      return isAsChanged(bench.sample, await bench.shown()) ? "changed" : "unchanged";
    },
  },
  {
    title: "split of a stack, the new one first",
    needsMemory: true,
    make: async (bench) => {
      const before = await bench.object();
      await bench.up([bench.declared({ adoptId: idOf(bench) })], bench.other);
      await bench.up([]);
      await bench.requireInForce([bench.it], bench.other);
      return requireLeft(bench, before);
    },
  },
  {
    title: "split of a stack, the old one first",
    make: async (bench) => {
      await bench.up([]);
      await bench.clearAway();
      if ((await bench.shown()).length > 0) throw new Error("what is not declared any more is still there");
      await bench.up([bench.it], bench.other);
      await bench.requireInForce([bench.it], bench.other);
      return "removed and made";
    },
  },
  {
    title: "state move",
    make: async (bench) => {
      const before = await bench.object();
      bench.engine.stateMove("it", bench.other);
      await bench.up([]);
      await bench.requireInForce([bench.it], bench.other);
      await requireSame(bench, before);
      return "kept";
    },
  },
  {
    title: "declared twice",
    make: async (bench) => {
      const before = await bench.object();
      const twice = [bench.it, bench.declared({ name: "again" })];
      const resource = resourceOf(bench.sample);
      const isFound = "find" in resource && resource.isAction !== true;
      if (resource.uniqueBy === undefined && !isFound && resource.manages === undefined) {
        // Each makes one of its own.
        await bench.up(twice);
        await bench.up([bench.it]);
        await bench.requireInForce([bench.it]);
        return "made twice";
      }
      const message = await bench.refused(twice);
      await requireSame(bench, before);
      await bench.requireInForce([bench.it]);
      return /declares the same|exists already|has a standby/.test(message) ? "refused" : message;
    },
  },
];

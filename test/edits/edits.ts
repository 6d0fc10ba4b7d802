import type { Declared, UpOptions } from "../crash/model-engine";
import { isAsChanged, resourceOf } from "../lifecycle/samples";
import type { EditHarness } from "./edit-harness";

/** An ordinary edit of a program: what its author does, and what must have come of it. */
export interface Edit {
  readonly title: string;
  /** Only what a machine remembers of earlier runs protects here. */
  readonly needsMemory?: true;
  /** Returns how it went, in words. Throws where something is lost, made twice or not as declared. */
  readonly make: (harness: EditHarness) => Promise<string>;
}

const COMPONENT = "shop:index:Backend$";
const WRAPPER = "pulumi-nodejs:dynamic/management:Wrapped$";
const OTHER_TYPE = "pulumi-nodejs:dynamic/management:It";

/** The resource gets another URN and no alias; what the refusal advises is then done, step by step. */
function anotherUrn(title: string, changed: Partial<Declared>, options?: UpOptions): Edit {
  return {
    title,
    make: async (harness) => {
      const before = await harness.object();
      const edited = harness.declared(changed);
      const [refusal] = (await harness.tryUp([edited], harness.engine, options)).failures;
      await requireSame(harness, before);
      if (refusal === undefined) {
        // What was not named is removed by the next run.
        if (options !== undefined) await harness.up([edited]);
        await requireSame(harness, before);
        await harness.requireInForce([edited]);
        return "goes on with it";
      }
      const named = /`aliases: \["([^"]+)"\]`/.exec(refusal.message)?.[1];
      const isTold = refusal.message.includes('`aliases: [{ name: "<its old name>" }]`');
      const alias = named ?? (harness.isForgetful && isTold ? harness.urn : undefined);
      if (alias === undefined) throw refusal;
      const aliased = { ...edited, alias };
      const { steps } = await harness.up([aliased], harness.engine, options);
      if (steps.length > 0) throw new Error(`with the alias it does ${steps.join()}`);
      await requireSame(harness, before);
      await harness.requireInForce([aliased]);
      return "refused, kept by `aliases`";
    },
  };
}

/** It is to be replaced although nothing differs; what the refusal advises is then done. */
function replacedByForce(title: string, options?: UpOptions): Edit {
  return {
    title,
    make: async (harness) => {
      const before = await harness.object();
      const id = idOf(harness);
      const [refusal] = (await harness.tryUp([{ ...harness.it, isReplaced: true }], harness.engine, options))
        .failures;
      if (refusal === undefined) {
        await harness.requireInForce([harness.it]);
        return "replaced";
      }
      await requireSame(harness, before);
      if (resourceOf(harness.sample).deleteLeavesObject === true) {
        // A new one takes another name; as it was before, the program is still in force.
        if (!refusal.message.includes("declare another `name`")) throw refusal;
        await harness.requireInForce([harness.it]);
        return "refused, nothing lost";
      }
      if (resourceOf(harness.sample).protectedBy !== undefined) {
        // What holds data is deleted by no advice; without the demand, the program is still in force.
        if (/deleteBeforeReplace/.test(refusal.message)) throw refusal;
        await harness.requireInForce([harness.it]);
        return "refused, nothing lost";
      }
      if (!refusal.message.includes("`deleteBeforeReplace: true`")) throw refusal;
      const first = refusal.message.indexOf("deleteBeforeReplace");
      if (first > refusal.message.indexOf("adoptId:")) throw new Error("adopt is offered first");
      const replaced = { ...harness.it, isReplaced: true, deleteBeforeReplace: true };
      if (harness.sample.cleanUp !== undefined) {
        // The delete leaves the object, and so it is there all the same.
        await harness.refused([replaced]);
        await requireSame(harness, before);
        await harness.up([harness.declared({ adoptId: id })]);
        await harness.requireInForce([harness.it]);
        return "refused, adopted";
      }
      await harness.up([replaced], harness.engine, options);
      await harness.requireInForce([harness.it]);
      return "refused, replaced by `deleteBeforeReplace`";
    },
  };
}

async function requireSame(harness: EditHarness, before: string): Promise<void> {
  if ((await harness.object()) !== before) throw new Error("the object is not what it was");
}

function idOf(harness: EditHarness): string {
  return harness.engine.get("it")?.id ?? "";
}

/** The old record goes, the object stays with the new one, and a warning says so. */
async function requireLeft(harness: EditHarness, before: string): Promise<string> {
  await requireSame(harness, before);
  if (!harness.warnings.some((line) => /was not (?:deleted|replaced)|was kept;/.test(line)))
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
    make: async (harness) => {
      const program = [harness.changed()];
      const before = await harness.object();
      const { steps } = await harness.up(program, harness.engine, { targets: ["another"] });
      if (steps.length > 0) throw new Error(`what is not named does ${steps.join()}`);
      await requireSame(harness, before);
      await harness.up(program, harness.engine, { targets: ["it"] });
      await harness.requireInForce(program, harness.engine, harness.sample.changesBack === true ? 0 : 1);
      return isAsChanged(harness.sample, await harness.shown()) ? "changed" : "unchanged";
    },
  },
  {
    title: "rename, going on after errors",
    make: async (harness) => {
      const before = await harness.object();
      const edited = harness.declared({ name: "renamed" });
      const { failures } = await harness.tryUp([edited], harness.engine, { continuesOnError: true });
      await requireSame(harness, before);
      if (failures.length === 0) return "goes on with it";
      if (harness.engine.get("it") === undefined) throw new Error("the record is lost");
      await harness.up([{ ...edited, alias: harness.urn }]);
      await requireSame(harness, before);
      return "refused, kept by `aliases`";
    },
  },
  {
    title: "rename with adopt",
    make: async (harness) => {
      const before = await harness.object();
      const edited = harness.declared({ name: "renamed", adoptId: idOf(harness) });
      await harness.up([edited]);
      await harness.requireInForce([edited]);
      return requireLeft(harness, before);
    },
  },
  {
    title: "rename with adopt, the old one removed by a later --target",
    needsMemory: true,
    make: async (harness) => {
      const before = await harness.object();
      const edited = harness.declared({ name: "renamed", adoptId: idOf(harness) });
      await harness.up([edited], harness.engine, { targets: ["renamed"] });
      await harness.destroy(harness.engine, { targets: ["it"] });
      await harness.requireInForce([edited]);
      return requireLeft(harness, before);
    },
  },
  replacedByForce("replace by force"),
  replacedByForce("replace by force with --target", { targets: ["it"] }),
  {
    title: "replace by force with adopt",
    make: async (harness) => {
      const before = await harness.object();
      await harness.up([{ ...harness.declared({ adoptId: idOf(harness) }), isReplaced: true }]);
      await harness.requireInForce([harness.it]);
      return requireLeft(harness, before);
    },
  },
  {
    title: "lost from state, adopted",
    make: async (harness) => {
      const before = await harness.object();
      const id = idOf(harness);
      harness.engine.stateDelete("it");
      const [refusal] = (await harness.tryUp([harness.it])).failures;
      await requireSame(harness, before);
      const program = refusal === undefined ? [harness.it] : [harness.declared({ adoptId: id })];
      await harness.up(program);
      await requireSame(harness, before);
      await harness.requireInForce(program);
      return refusal === undefined ? "goes on with it" : "refused, adopted";
    },
  },
  {
    title: "adopted with another value",
    make: async (harness) => {
      const id = idOf(harness);
      harness.engine.stateDelete("it");
      const program = [harness.changed(id)];
      await harness.up(program);
      await harness.requireInForce(program, harness.engine, harness.sample.changesBack === true ? 0 : 1);
      if (idOf(harness) !== id) throw new Error("it is another object");
      return isAsChanged(harness.sample, await harness.shown()) ? "changed" : "unchanged";
    },
  },
  {
    title: "split of a stack, the new one first",
    needsMemory: true,
    make: async (harness) => {
      const before = await harness.object();
      await harness.up([harness.declared({ adoptId: idOf(harness) })], harness.other);
      await harness.up([]);
      await harness.requireInForce([harness.it], harness.other);
      return requireLeft(harness, before);
    },
  },
  {
    title: "split of a stack, the old one first",
    make: async (harness) => {
      await harness.up([]);
      await harness.cleanUp();
      if ((await harness.shown()).length > 0) throw new Error("what is not declared any more is still there");
      await harness.up([harness.it], harness.other);
      await harness.requireInForce([harness.it], harness.other);
      return "removed and made";
    },
  },
  {
    title: "state move",
    make: async (harness) => {
      const before = await harness.object();
      harness.engine.stateMove("it", harness.other);
      await harness.up([]);
      await harness.requireInForce([harness.it], harness.other);
      await requireSame(harness, before);
      return "kept";
    },
  },
  {
    title: "declared twice",
    make: async (harness) => {
      const before = await harness.object();
      const twice = [harness.it, harness.declared({ name: "again" })];
      const resource = resourceOf(harness.sample);
      const isFound = "find" in resource && resource.isAction !== true;
      if (resource.uniqueBy === undefined && !isFound && resource.manages === undefined) {
        // Each makes one of its own.
        await harness.up(twice);
        await harness.up([harness.it]);
        await harness.requireInForce([harness.it]);
        return "made twice";
      }
      const message = await harness.refused(twice);
      await requireSame(harness, before);
      await harness.requireInForce([harness.it]);
      return /declares the same|already exists|has a standby/.test(message) ? "refused" : message;
    },
  },
];

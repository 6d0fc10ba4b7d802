import type { Declared, UpOptions } from "../kit/model-engine";
import { isAsChanged, resourceOf } from "../kit/samples";
import type { EditLife } from "./edit-life";

/** An ordinary edit of a program: what its author does, and what must have come of it. */
export interface Edit {
  readonly title: string;
  /** Only what a machine remembers of earlier runs protects here. */
  readonly needsMemory?: true;
  /** Returns how it went, in words. Throws where something is lost, made twice or not as declared. */
  readonly make: (life: EditLife) => Promise<string>;
}

const COMPONENT = "shop:index:Backend$";
const WRAPPER = "pulumi-nodejs:dynamic/management:Wrapped$";
const OTHER_TYPE = "pulumi-nodejs:dynamic/management:It";

/** The resource gets another URN and no alias; what the refusal advises is then done, step by step. */
function anotherUrn(title: string, changed: Partial<Declared>, options?: UpOptions): Edit {
  return {
    title,
    make: async (life) => {
      const before = await life.object();
      const edited = life.declared(changed);
      const [refusal] = (await life.tryUp([edited], life.stack, options)).failures;
      await requireSame(life, before);
      if (refusal === undefined) {
        // What was not named is removed by the next run.
        if (options !== undefined) await life.up([edited]);
        await requireSame(life, before);
        await life.requireInForce([edited]);
        return "goes on with it";
      }
      const named = /`aliases: \["([^"]+)"\]`/.exec(refusal.message)?.[1];
      const isTold = refusal.message.includes('`aliases: [{ name: "<its old name>" }]`');
      const alias = named ?? (life.isForgetful && isTold ? life.urn : undefined);
      if (alias === undefined) throw refusal;
      const aliased = { ...edited, alias };
      const { steps } = await life.up([aliased], life.stack, options);
      if (steps.length > 0) throw new Error(`with the alias it does ${steps.join()}`);
      await requireSame(life, before);
      await life.requireInForce([aliased]);
      return "refused, kept by `aliases`";
    },
  };
}

/** It is to be replaced although nothing differs; what the refusal advises is then done. */
function replacedByForce(title: string, options?: UpOptions): Edit {
  return {
    title,
    make: async (life) => {
      const before = await life.object();
      const id = idOf(life);
      const [refusal] = (await life.tryUp([{ ...life.it, isReplaced: true }], life.stack, options)).failures;
      if (refusal === undefined) {
        await life.requireInForce([life.it]);
        return "replaced";
      }
      await requireSame(life, before);
      if (resourceOf(life.sample).deleteLeavesObject === true) {
        // A new one takes another name; as it was before, the program is still in force.
        if (!refusal.message.includes("declare another `name`")) throw refusal;
        await life.requireInForce([life.it]);
        return "refused, nothing lost";
      }
      if (resourceOf(life.sample).protection !== undefined) {
        // What holds data is deleted by no advice; without the demand, the program is still in force.
        if (/deleteBeforeReplace/.test(refusal.message)) throw refusal;
        await life.requireInForce([life.it]);
        return "refused, nothing lost";
      }
      if (!refusal.message.includes("`deleteBeforeReplace: true`")) throw refusal;
      const first = refusal.message.indexOf("deleteBeforeReplace");
      if (first > refusal.message.indexOf("adoptId:")) throw new Error("adopt is offered first");
      const replaced = { ...life.it, isReplaced: true, deleteBeforeReplace: true };
      if (life.sample.cleanUp !== undefined) {
        // The delete leaves the object, and so it is there all the same.
        await life.refused([replaced]);
        await requireSame(life, before);
        await life.up([life.declared({ adoptId: id })]);
        await life.requireInForce([life.it]);
        return "refused, adopted";
      }
      await life.up([replaced], life.stack, options);
      await life.requireInForce([life.it]);
      return "refused, replaced by `deleteBeforeReplace`";
    },
  };
}

async function requireSame(life: EditLife, before: string): Promise<void> {
  if ((await life.object()) !== before) throw new Error("the object is not what it was");
}

function idOf(life: EditLife): string {
  return life.stack.engine.get("it")?.id ?? "";
}

/** The old record goes, the object stays with the new one, and a warning says so. */
async function requireLeft(life: EditLife, before: string): Promise<string> {
  await requireSame(life, before);
  if (!life.warnings.some((line) => /was (?:not|neither replaced nor) deleted|was kept;/.test(line)))
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
    make: async (life) => {
      const program = [life.changed()];
      const before = await life.object();
      const { steps } = await life.up(program, life.stack, { targets: ["another"] });
      if (steps.length > 0) throw new Error(`what is not named does ${steps.join()}`);
      await requireSame(life, before);
      await life.up(program, life.stack, { targets: ["it"] });
      await life.requireInForce(program, life.stack, life.sample.changesBack === true ? 0 : 1);
      return isAsChanged(life.sample, await life.shown()) ? "changed" : "unchanged";
    },
  },
  {
    title: "rename, going on after errors",
    make: async (life) => {
      const before = await life.object();
      const edited = life.declared({ name: "renamed" });
      const { failures } = await life.tryUp([edited], life.stack, { continuesOnError: true });
      await requireSame(life, before);
      if (failures.length === 0) return "goes on with it";
      if (life.stack.engine.get("it") === undefined) throw new Error("the record is lost");
      await life.up([{ ...edited, alias: life.urn }]);
      await requireSame(life, before);
      return "refused, kept by `aliases`";
    },
  },
  {
    title: "rename with adopt",
    make: async (life) => {
      const before = await life.object();
      const edited = life.declared({ name: "renamed", adoptId: idOf(life) });
      await life.up([edited]);
      await life.requireInForce([edited]);
      return requireLeft(life, before);
    },
  },
  {
    title: "rename with adopt, the old one removed by a later --target",
    needsMemory: true,
    make: async (life) => {
      const before = await life.object();
      const edited = life.declared({ name: "renamed", adoptId: idOf(life) });
      await life.up([edited], life.stack, { targets: ["renamed"] });
      await life.destroy(life.stack, { targets: ["it"] });
      await life.requireInForce([edited]);
      return requireLeft(life, before);
    },
  },
  replacedByForce("replace by force"),
  replacedByForce("replace by force with --target", { targets: ["it"] }),
  {
    title: "replace by force with adopt",
    make: async (life) => {
      const before = await life.object();
      await life.up([{ ...life.declared({ adoptId: idOf(life) }), isReplaced: true }]);
      await life.requireInForce([life.it]);
      return requireLeft(life, before);
    },
  },
  {
    title: "lost from state, adopted",
    make: async (life) => {
      const before = await life.object();
      const id = idOf(life);
      life.stack.engine.stateDelete("it");
      const [refusal] = (await life.tryUp([life.it])).failures;
      await requireSame(life, before);
      const program = refusal === undefined ? [life.it] : [life.declared({ adoptId: id })];
      await life.up(program);
      await requireSame(life, before);
      await life.requireInForce(program);
      return refusal === undefined ? "goes on with it" : "refused, adopted";
    },
  },
  {
    title: "adopted with another value",
    make: async (life) => {
      const id = idOf(life);
      life.stack.engine.stateDelete("it");
      const program = [life.changed(id)];
      await life.up(program);
      await life.requireInForce(program, life.stack, life.sample.changesBack === true ? 0 : 1);
      if (idOf(life) !== id) throw new Error("it is another object");
      return isAsChanged(life.sample, await life.shown()) ? "changed" : "unchanged";
    },
  },
  {
    title: "split of a stack, the new one first",
    needsMemory: true,
    make: async (life) => {
      const before = await life.object();
      await life.up([life.declared({ adoptId: idOf(life) })], life.other);
      await life.up([]);
      await life.requireInForce([life.it], life.other);
      return requireLeft(life, before);
    },
  },
  {
    title: "split of a stack, with a run of the old one in between",
    needsMemory: true,
    make: async (life) => {
      const before = await life.object();
      await life.up([life.declared({ adoptId: idOf(life) })], life.other);
      await life.up([life.it]);
      await life.up([]);
      await life.requireInForce([life.it], life.other);
      return requireLeft(life, before);
    },
  },
  {
    title: "split of a stack, the old one first",
    make: async (life) => {
      await life.up([]);
      await life.cleanUp();
      if ((await life.shown()).length > 0) throw new Error("what is not declared any more is still there");
      await life.up([life.it], life.other);
      await life.requireInForce([life.it], life.other);
      return "removed and made";
    },
  },
  {
    title: "state move",
    make: async (life) => {
      const before = await life.object();
      life.stack.engine.stateMove("it", life.other.engine);
      await life.up([]);
      await life.requireInForce([life.it], life.other);
      await requireSame(life, before);
      return "kept";
    },
  },
  {
    title: "declared twice",
    make: async (life) => {
      const before = await life.object();
      const twice = [life.it, life.declared({ name: "again" })];
      const resource = resourceOf(life.sample);
      const isFound = "find" in resource && resource.isAction !== true;
      if (resource.uniqueBy === undefined && !isFound && resource.manages === undefined) {
        // Each makes one of its own.
        await life.up(twice);
        await life.up([life.it]);
        await life.requireInForce([life.it]);
        return "made twice";
      }
      const message = await life.refused(twice);
      await requireSame(life, before);
      await life.requireInForce([life.it]);
      return /declares the same|already exists|has a standby/.test(message) ? "refused" : message;
    },
  },
];

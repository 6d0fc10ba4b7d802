import type { Values } from "../../provider/define/values";
import type { Found, InState, ProviderProcess } from "../kit/provider-process";

/** What a command does, or would do, with the resource; or what it is refused with. */
export type Outcome =
  | { readonly does: "same" | "change" | "create" | "update" | "replace" | "delete" | "drop" }
  | { readonly refused: string };

interface Recorded extends InState {
  /** As the engine has recorded them: a refresh puts what the service has into them. */
  readonly inputs: Values;
}

interface CommandOptions {
  /** `--refresh` */
  readonly refresh?: boolean;
}

/**
 * A stack with one resource, driven through an adapter by what Pulumi's engine asks of it in each command, in a process of its own
 * (pkg/resource/deploy of 3.250: step.go, RefreshStep; step_generator.go, continueStepsFromImport).
 */
export class OneResourceStack {
  #recorded: Recorded | undefined;

  constructor(private readonly start: () => Promise<ProviderProcess>) {}

  get recorded(): Recorded {
    if (this.#recorded === undefined) throw new Error("the stack has no resource");
    return this.#recorded;
  }

  get isEmpty(): boolean {
    return this.#recorded === undefined;
  }

  /** `pulumi refresh`; with `isPreview` `--preview-only`, which the nightly check runs. */
  refresh({ isPreview = false }: { readonly isPreview?: boolean } = {}): Promise<Outcome> {
    return this.#command(async (process) => {
      const before = this.#recorded;
      const outcome = await this.#refreshed(process);
      if (isPreview) this.#recorded = before;
      return outcome;
    });
  }

  /** `pulumi preview` */
  preview(declared: Values, { refresh = false }: CommandOptions = {}): Promise<Outcome> {
    return this.#command(async (process) => {
      const before = this.#recorded;
      try {
        if (refresh) await this.#refreshed(process);
        return (await this.#planned(process, declared)).outcome;
      } finally {
        this.#recorded = before;
      }
    });
  }

  /** `pulumi up` */
  up(declared: Values, { refresh = false }: CommandOptions = {}): Promise<Outcome> {
    return this.#command(async (process) => {
      if (refresh) await this.#refreshed(process);
      const { outcome, inputs, isDeletedFirst } = await this.#planned(process, declared);
      const old = this.#recorded;
      if ("refused" in outcome || outcome.does === "same") return outcome;
      if (old !== undefined && outcome.does === "update") {
        this.#recorded = { ...(await process.update(old, inputs)), inputs };
        return outcome;
      }
      if (old !== undefined && isDeletedFirst) await process.delete(old);
      this.#recorded = { ...(await process.create(inputs)), inputs };
      if (old !== undefined && !isDeletedFirst) await process.delete(old);
      return outcome;
    });
  }

  /** `pulumi destroy` */
  destroy({ refresh = false }: CommandOptions = {}): Promise<Outcome> {
    return this.#command(async (process) => {
      if (refresh) await this.#refreshed(process);
      if (this.#recorded !== undefined) await process.delete(this.#recorded);
      this.#recorded = undefined;
      return { does: "delete" };
    });
  }

  async #command(work: (process: ProviderProcess) => Promise<Outcome>): Promise<Outcome> {
    const process = await this.start();
    try {
      return await work(process);
    } catch (error) {
      return { refused: messageOf(error) };
    } finally {
      await process.close();
    }
  }

  /** The difference is asked for without a check, with the recorded inputs for those of the program. */
  async #refreshed(process: ProviderProcess): Promise<Outcome> {
    const old = this.recorded;
    const found: Found = await process.read(old);
    if (found.id === "") {
      this.#recorded = undefined;
      return { does: "drop" };
    }
    const inputs = found.inputs ?? old.inputs;
    this.#recorded = { id: found.id, outs: found.outs, inputs };
    const { changes } = await process.diff(found, old.inputs);
    return { does: changes === true ? "change" : "same" };
  }

  async #planned(
    process: ProviderProcess,
    declared: Values,
  ): Promise<{ readonly outcome: Outcome; readonly inputs: Values; readonly isDeletedFirst: boolean }> {
    const old = this.#recorded;
    const { inputs, failures } = await process.check(declared, old?.inputs);
    const isDeletedFirst = false;
    if (failures.length > 0) {
      const refused = failures.map(({ reason }) => reason).join("\n");
      return { outcome: { refused }, inputs, isDeletedFirst };
    }
    if (old === undefined) return { outcome: { does: "create" }, inputs, isDeletedFirst };
    const { changes, replaces = [], deleteBeforeReplace } = await process.diff(old, inputs);
    if (changes !== true) return { outcome: { does: "same" }, inputs, isDeletedFirst };
    if (replaces.length === 0) return { outcome: { does: "update" }, inputs, isDeletedFirst };
    const anew = await process.check(declared);
    return {
      outcome: { does: "replace" },
      inputs: anew.inputs,
      isDeletedFirst: deleteBeforeReplace === true,
    };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import type { SettledResource } from "../../provider/engine/create/create";
import type { Values } from "../../provider/define/values";
import type { NeedName } from "../fixtures/fixture";
import type { Managed } from "../managed-resource";
import { needs, needsOf } from "./subjects/needs";
import type { TrialContext, Subject } from "./subjects/subject";

interface RunEnvironment {
  readonly context: () => TrialContext;
  readonly managed: (type: string) => Managed;
  readonly found: (values: Values) => void;
}

/** What subjects need beside the project: made for the first one, removed after the last one. */
export class Needed {
  /** In the order in which they were made; a resource with what is known of it. */
  readonly #present = new Map<NeedName, SettledResource | undefined>();

  constructor(private readonly environment: RunEnvironment) {}

  async make(subject: Subject): Promise<void> {
    const { context, managed, found } = this.environment;
    for (const name of needsOf(subject)) {
      if (this.#present.has(name)) continue;
      const need = needs[name];
      if ("make" in need) {
        await need.make(context());
        this.#present.set(name, undefined);
        continue;
      }
      const made = await managed(need.type).create(need.inputs(context()));
      this.#present.set(name, made);
      if (need.idAs !== undefined) found({ [need.idAs]: made.id });
    }
  }

  async removeAllBut(later: readonly Subject[]): Promise<void> {
    const { context, managed } = this.environment;
    const wanted = new Set(later.flatMap(needsOf));
    for (const [name, made] of [...this.#present].reverse()) {
      if (wanted.has(name)) continue;
      const need = needs[name];
      if ("make" in need) await need.remove(context());
      else if (made !== undefined) await managed(need.type).delete(made);
      this.#present.delete(name);
    }
  }
}

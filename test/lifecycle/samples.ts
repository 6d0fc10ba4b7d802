import { z } from "zod";
import { resourceByType } from "../../provider/catalog";
import { fieldsOf } from "../../provider/define/markers";
import type { AnyResource } from "../../provider/define/resource";
import type { Values } from "../../provider/lifecycle/state";
import type { Sample } from "./sample";

export type { Sample };
export { samples } from "./samples.generated";

export { countLeft, isAsChanged } from "./sample";

/** The properties of a state that hold a secret, with what a configuration found before it was managed. */
export function secretsInState(sample: Sample, state: Values): string[] {
  const found = fieldsOf(resourceOf(sample).bookkeeping ?? z.object({})).map(([name]) => name);
  return [...(sample.secrets ?? []), ...found].filter((name) => name in state).sort();
}

/** Whether it is a configuration, which is there before it is declared and after it is deleted. */
export function isConfiguration({ objects }: Sample): boolean {
  return objects === undefined;
}

export function resourceOf(sample: Sample): AnyResource {
  return resourceByType(sample.type);
}

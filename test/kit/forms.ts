import { listMarkedFields } from "../../provider/define/markers";
import type { Values } from "../../provider/define/values";
import { resourceOf, type Sample } from "./samples";

/** A way to declare a sample. */
export interface Form {
  readonly title: string;
  readonly inputs: (sample: Sample, ref: string) => Values;
  readonly changed: (sample: Sample, ref: string) => Values;
}

export const asGiven: Form = {
  title: "as the sample declares it",
  inputs: (sample, ref) => ({ ...sample.inputs(ref), ...sample.secretInputs }),
  changed: (sample, ref) => ({ ...sample.changed(ref), ...sample.secretInputs }),
};

/** Each resource as its sample has it and, where the provider can make up its name, without a name. */
export function formsOf(sample: Sample): Form[] {
  const names = listMarkedFields(resourceOf(sample).inputs).flatMap(([name, , { autonamed }]) =>
    autonamed === undefined ? [] : [name],
  );
  if (names.length === 0) return [asGiven];
  const without = (values: Values): Values =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
  const madeUp: Form = {
    title: "with a made-up name",
    inputs: (of, ref) => without(asGiven.inputs(of, ref)),
    changed: (of, ref) => without(asGiven.changed(of, ref)),
  };
  return [asGiven, madeUp];
}

import * as pulumi from "@pulumi/pulumi";
import type { ResourceFactory } from "../components/composition";
import { formatToken } from "../define/token";
import * as classes from "./classes.generated";
import { requireMapValues, type MapInput } from "./map-inputs";

type ResourceClass = new (
  name: string,
  args: pulumi.Inputs,
  opts: pulumi.CustomResourceOptions,
) => pulumi.CustomResource;

const make: ResourceFactory = (type, name, args, opts) => {
  // Every type has a class of its name.
  const Class = Reflect.get(classes, type) as ResourceClass;
  return new Class(name, args, opts);
};

/** What the generated classes know of their component. */
interface ComponentShape {
  readonly type: string;
  readonly maps: readonly MapInput[];
}

/** The base of all component classes: their resources are those of the classes beside it. */
export abstract class ManagedComponent extends pulumi.ComponentResource {
  protected constructor(
    { type, maps }: ComponentShape,
    name: string,
    args: object,
    opts: pulumi.ComponentResourceOptions | undefined,
  ) {
    const checked = requireMapValues(`${type} ${name}`, { ...args }, maps);
    super(formatToken(type), name, {}, opts);
    const outputs = loadComponents().composeComponent(type, { component: this, name, args: checked, make });
    Object.assign(this, outputs);
    this.registerOutputs(outputs);
  }
}

/** Loaded with the first component: most programs have none. */
function loadComponents(): typeof import("../components/components") {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load the definitions at the start
  return require("../components/components") as typeof import("../components/components");
}

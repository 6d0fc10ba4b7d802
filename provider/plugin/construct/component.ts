import type { Inputs, Output } from "@pulumi/pulumi/output";
import { ComponentResource, CustomResource, type ComponentResourceOptions } from "@pulumi/pulumi/resource";
import { resourceByType } from "../../by-name";
import type { Make } from "../../components/composition";
import { composeComponent } from "../../components/components";
import { fieldsOf } from "../../define/markers";
import { VERSION } from "../../version.generated";
import { tokenOf } from "../../define/token";
import { keepAnswersOutOfDebugLog } from "../../process/quiet-debug-log";

keepAnswersOutOfDebugLog();

/** A resource of this package, which the engine has this very plugin make. */
class Child extends CustomResource {}

const make: Make = (type, name, args, opts) => {
  const outputs: Inputs = Object.fromEntries(
    fieldsOf(resourceByType(type).outputs).map(([output]) => [output, undefined]),
  );
  return new Child(tokenOf(type), name, { ...outputs, ...args }, { ...opts, version: VERSION });
};

/** A component that the engine has this plugin make for a program. */
export class PluginComponent extends ComponentResource {
  readonly outputs: Readonly<Record<string, Output<unknown>>>;

  constructor(type: string, name: string, args: Inputs, opts: ComponentResourceOptions) {
    super(tokenOf(type), name, {}, opts);
    this.outputs = composeComponent(type, { component: this, name, args, make });
    this.registerOutputs(this.outputs);
  }
}

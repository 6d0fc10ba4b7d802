import { resourceByType } from "../../provider/catalog";
import type { AnyResource } from "../../provider/define/resource";
import type { Sample } from "./sample";

export type { Sample };
export { samples } from "./samples.generated";

export function resourceOf(sample: Sample): AnyResource {
  return resourceByType(sample.type);
}

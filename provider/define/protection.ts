import { PROTECTION_INPUT, type AnyResource } from "./resource";
import { readMarks } from "./state-marks";
import type { Values } from "./values";

/** Whether the object must not be removed: as declared, or because it existed before Pulumi had it. */
export function isProtected({ protection }: AnyResource, values: Values): boolean {
  if (protection === undefined) return false;
  const declared = values[PROTECTION_INPUT];
  return typeof declared === "boolean" ? declared : protection.isOnIfAdopted && readMarks(values).isAdopted;
}

import type { SettingValues } from "../../../settings/mapping/original-values";
import { valueAt } from "../../../settings/mapping/setting-fields";
import { SettingsMapping, type WireValues } from "../../../settings/mapping/settings-mapping";

/** The settings of auth, of which the service changes some together. */
export class AuthMapping extends SettingsMapping {
  /** With an empty host the service empties all of `smtp`. */
  override listDeclared(inputs: SettingValues): string[] {
    const declared = super.listDeclared(inputs);
    if (valueAt(inputs, "smtp.host") !== "") return declared;
    const emptied = this.names.filter((name) => name.startsWith("smtp.") && !declared.includes(name));
    return [...declared, ...emptied];
  }

  override spellAsDeclared(wire: WireValues, inputs: SettingValues): WireValues {
    return splitClientIds(wire, this.body(this.convertDeclared(inputs), "merge", wire));
  }
}

/** The slots that take further client ids. */
const SLOTS = ["external_idp01", "external_idp09"] as const;

/**
 * Further client ids as they are declared, where the service has folded them into the client id
 * (service, Auth configuration).
 */
function splitClientIds(seen: WireValues, declared: WireValues): WireValues {
  return SLOTS.reduce((wire, slot) => ({ ...wire, ...splitSlotIds(slot, wire, declared) }), seen);
}

function splitSlotIds(slot: (typeof SLOTS)[number], seen: WireValues, declared: WireValues): WireValues {
  const [own, further] = [`${slot}_client_id`, `${slot}_additional_client_ids`];
  const ids = idsIn(seen[own]);
  if (ids.length === 0 || idsIn(seen[further]).length > 0) return {};
  const [first, rest] = [idsIn(declared[own]), idsIn(declared[further])];
  const splitAt = (at: number): WireValues => ({
    [own]: toDeclaredForm(declared[own], ids.slice(0, at)),
    [further]: toDeclaredForm(declared[further], ids.slice(at)),
  });
  if (first.length > 0 && isSame(ids.slice(0, first.length), first)) return splitAt(first.length);
  if (rest.length > 0 && isSame(ids.slice(-rest.length), rest)) return splitAt(ids.length - rest.length);
  return {};
}

/** In the declared spelling where it has the same ids. */
function toDeclaredForm(declared: unknown, ids: readonly string[]): unknown {
  if (ids.length === 0) return null;
  return isSame(idsIn(declared), ids) ? declared : ids.join(",");
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((id, index) => id === right[index]);
}

function idsIn(value: unknown): string[] {
  if (typeof value !== "string") return [];
  return value
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "");
}

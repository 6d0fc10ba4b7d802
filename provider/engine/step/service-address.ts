import { InvalidInputError } from "../../client/errors/errors";
import type { AnyResource } from "../../define/resource";
import { absenceProblems } from "./problems";
import type { Values } from "./state";
import { urnOf, ownerOf } from "../../ledger/identity";

/** The base URL of the service that made or last changed the object; it has neither a user nor a password. */
export const SERVICE = "__service";

/** The configured address of the service, and its others. */
interface Addresses {
  readonly baseUrl: () => string;
  readonly baseUrlAliases: () => readonly string[];
}

/** The state with the address of the service that has just answered for the object. */
export function withServiceAddress({ baseUrl }: Pick<Addresses, "baseUrl">, state: Values): Values {
  return { ...state, [SERVICE]: baseUrl() };
}

/**
 * Throws where the object was made at another address than the configured one, which then says nothing about whether it
 * exists. A state of an earlier version has no address.
 */
export function refuseOtherService(
  runtime: Addresses,
  resource: AnyResource,
  { id, state }: { readonly id: string; readonly state: Values },
): void {
  const made = state[SERVICE];
  const asked = runtime.baseUrl();
  if (typeof made !== "string" || made === asked) return;
  const aliases = runtime.baseUrlAliases();
  if (aliases.includes(made)) return;
  const urn = urnOf(ownerOf(state), resource.type) ?? "<urn>";
  throw new InvalidInputError(
    "management:baseUrl",
    absenceProblems.otherService.message({ type: resource.type, id, asked, made, urn }),
  );
}

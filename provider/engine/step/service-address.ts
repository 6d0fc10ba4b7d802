import { InvalidInputError } from "../../client/errors/errors";
import type { AnyResource } from "../../define/resource";
import { absenceProblems } from "../../define/problems";
import type { Values } from "../../define/values";
import { readMarks } from "../../define/state-marks";
import { readOwner, urnOf, UNKNOWN_URN } from "../../ledger/owner";

/** The configured address of the service, and its others. */
interface ServiceAddresses {
  readonly baseUrl: () => string;
  readonly baseUrlAliases: () => readonly string[];
}

/**
 * Throws where the object was made at another address than the configured one, which then says nothing about whether it
 * exists. A state of an earlier version has no address.
 */
export function refuseOtherService(
  runtime: ServiceAddresses,
  resource: AnyResource,
  { id, state }: { readonly id: string; readonly state: Values },
): void {
  const { service: made } = readMarks(state);
  const asked = runtime.baseUrl();
  if (made === undefined || made === asked) return;
  const aliases = runtime.baseUrlAliases();
  if (aliases.includes(made)) return;
  const urn = urnOf(readOwner(state), resource.type) ?? UNKNOWN_URN;
  throw new InvalidInputError(
    "management:baseUrl",
    absenceProblems.otherService.message({ type: resource.type, id, asked, made, urn }),
  );
}

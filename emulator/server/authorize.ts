import type { Operation } from "../../spec/operation";
import { Refusal } from "../handler";
import type { Grant } from "../access/tokens";

/** Refuses a call that the token does not cover (service, Access). */
export function authorize(operation: Operation, grant: Grant): void {
  if (grant.kind === "full") return;
  if (grant.kind === "oauth") {
    if (operation.scope !== undefined && !grant.scopes.includes(operation.scope)) {
      throw new Refusal(403, `Forbidden: the access token lacks the scope ${operation.scope}`);
    }
    return;
  }
  const lacking = operation.permissions.map((needed) =>
    needed.filter((permission) => !grant.permissions.includes(permission)),
  );
  if (lacking.length === 0 || lacking.some((missing) => missing.length === 0)) return;
  const alternatives = lacking.map((missing) => missing.join(" and ")).join(" or ");
  throw new Refusal(403, `Forbidden: the access token lacks the permission ${alternatives}`);
}

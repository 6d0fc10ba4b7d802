import type { Operation } from "../../spec/operation";
import { Refusal } from "../handler";
import { findGrant, type Grant } from "../access/tokens";
import type { Arrival } from "./arrival";
import type { Service } from "./service";

/** Who calls: always a rate-limit identity, and either what the token allows or why there is none. */
export interface Caller {
  readonly identity: string;
  readonly access: Grant | Refusal;
}

/** The token of an `Authorization` header; undefined when there is none. */
export function bearerTokenIn(header: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(header ?? "")?.[1];
}

/** Finds the caller by the bearer token (service, Access). */
export function identify(service: Service, arrival: Arrival): Caller {
  const identity = `ip:${arrival.clientAddress}`;
  const token = bearerTokenIn(arrival.header("authorization"));
  if (token === undefined) {
    return {
      identity,
      access: new Refusal(401, "Unauthorized: send an access token as `Authorization: Bearer`"),
    };
  }
  const grant = findGrant(service.world, token);
  if (grant === undefined)
    return { identity, access: new Refusal(401, "Unauthorized: unknown access token") };
  if (grant === "expired") {
    return { identity, access: new Refusal(401, "Unauthorized: the access token has expired") };
  }
  return { identity: grant.identity, access: grant };
}

/**
 * Whether a call needs a token at all. For `/v1/oauth/*` it is not shown (service, Access): those
 * that list no permission carry the application's own credentials instead.
 */
export function needsToken(operation: Operation): boolean {
  return !(operation.path.startsWith("/v1/oauth/") && operation.permissions.length === 0);
}

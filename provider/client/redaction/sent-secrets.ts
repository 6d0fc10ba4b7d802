import { isObject } from "../../../spec/is-object";
import type { Fields } from "../transport/request-target";

/** Names of body fields that hold secrets, with everything below them. */
const SECRET_FIELD =
  /(?:^|_)(?:pass|password|secrets?|token|api_key|access_key|root_key|private_jwk|value|code_verifier|k)$/;

/** Shorter texts in a secret object are names of algorithms and the like. */
const MINIMUM_LENGTH = 8;

/** What the request itself sent as secret: a service may quote it when it refuses. */
export function sentSecretsOf({ body }: Fields): string[] {
  // An authorization code is a secret, a region's code, which is further down, is none.
  const code = isObject(body) ? textsIn(body["code"], true) : [];
  return [...code, ...textsIn(body, false)];
}

function textsIn(value: unknown, isSecret: boolean): string[] {
  if (typeof value === "string") return isSecret && value.length >= MINIMUM_LENGTH ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, isSecret));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    textsIn(field, isSecret || SECRET_FIELD.test(name)),
  );
}

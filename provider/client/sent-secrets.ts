import type { Fields } from "./request-target";
import { Redactor } from "./redactor";

/** Names of body fields that hold secrets, with everything below them. */
const SECRET_FIELD =
  /(?:^|_)(?:pass|password|secrets?|token|api_key|access_key|root_key|private_jwk|value|code_verifier|k)$/;

/** Shorter texts in a secret object are names of algorithms and the like. */
const MINIMUM_LENGTH = 8;

/** Redacts what the request itself sent as secret: a service may quote it when it refuses. */
export function sentSecretsOf({ body }: Fields): Redactor {
  const redactor = new Redactor();
  // An authorization code is a secret, a region's code, which is further down, is none.
  if (isRecord(body)) collect(body["code"], true, redactor);
  collect(body, false, redactor);
  return redactor;
}

function collect(value: unknown, isSecret: boolean, redactor: Redactor): void {
  if (typeof value === "string") {
    if (isSecret && value.length >= MINIMUM_LENGTH) redactor.add(value);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, isSecret, redactor);
  } else if (isRecord(value)) {
    for (const [name, field] of Object.entries(value)) {
      collect(field, isSecret || SECRET_FIELD.test(name), redactor);
    }
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !(value instanceof Uint8Array);
}

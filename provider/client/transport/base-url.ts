import { isIPv4 } from "node:net";
import { InvalidInputError } from "../errors/errors";

const ALLOWED =
  'allowed are https URLs such as "https://api.example.com", and http on this machine such as "http://127.0.0.1:8080"';

/** Validates the address of the service and returns it without a trailing slash. */
export function parseBaseUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  // It may be a token that was put here by mistake, and a token with a colon parses as a URL: it is not repeated.
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw createBaseUrlError(`of ${given.length} characters`, "is not an http or https URL");
  }
  // The parts that may hold a secret are not repeated in the message.
  const shown = JSON.stringify(`${url.protocol}//${url.host}${url.pathname}`);
  if (url.username !== "" || url.password !== "")
    throw createBaseUrlError(shown, "contains a user name or a password");
  if (url.search !== "" || url.hash !== "") throw createBaseUrlError(shown, 'contains "?" or "#"');
  if (/\/v1\/*$/.test(url.pathname)) throw createBaseUrlError(shown, "ends with /v1, which every call adds");
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw createBaseUrlError(shown, "would send the access token unencrypted");
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** Whether a host name of a URL means this machine. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" || hostname === "[::1]" || (isIPv4(hostname) && hostname.startsWith("127."))
  );
}

function createBaseUrlError(shown: string, why: string): InvalidInputError {
  return new InvalidInputError("baseUrl", `The base URL ${shown} ${why}; ${ALLOWED}.`);
}

import { jsonIn } from "../json-in";

const LONGEST_MESSAGE = 1_000;
const SAYS_NOTHING = /^<|<html|^(\{\}|\[\]|null)$/i;

/** What an error body says, whatever its form: JSON, text, HTML of a gateway, or nothing (service, Errors). */
export function serviceMessageOf(text: string): string {
  const body = text.trim();
  return messageInside(jsonIn(body)) ?? (SAYS_NOTHING.test(body) ? "" : body);
}

/** Only for what is redacted: the rest of a secret that is cut is not recognised any more. */
export function shortened(redactedText: string): string {
  return redactedText.length > LONGEST_MESSAGE ? `${redactedText.slice(0, LONGEST_MESSAGE)}…` : redactedText;
}

/** Whether the service itself answered: its errors are JSON. */
export function isJson(text: string): boolean {
  return jsonIn(text) !== undefined;
}

function messageInside(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) {
    const parts = value.map(messageInside).filter((part) => part !== undefined);
    return parts.length === 0 ? undefined : parts.join("; ");
  }
  if (typeof value !== "object" || value === null) return undefined;
  const fields = value as Record<string, unknown>;
  // The OAuth endpoints use RFC 6749's names.
  for (const name of ["message", "error_description", "error", "msg"]) {
    const found = messageInside(fields[name]);
    if (found !== undefined && found !== "") return found;
  }
  return undefined;
}

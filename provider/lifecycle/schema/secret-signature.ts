/** How Pulumi's resource protocol marks what is more than a plain value within an object. */
export const SIGNATURE_KEY = "4dabf18193072939515e22adb298388d";
const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";

/** The value as the engine recognises a secret in a provider's answer. */
export function asSecret(value: unknown): Record<string, unknown> {
  return { [SIGNATURE_KEY]: SECRET_SIGNATURE, value };
}

export function isSecret(value: Readonly<Record<string, unknown>>): boolean {
  return value[SIGNATURE_KEY] === SECRET_SIGNATURE;
}

import { z } from "zod";
import { sha256 } from "../core/sha256";
import { InvalidInputError } from "../client/errors/errors";
import { formed, local } from "./markers";

/** Refuses what is shown unless the program names the very same by its fingerprint. */
export function requireConfirmed(
  shown: string,
  confirm: string | undefined,
  messageOf: (fingerprint: string) => string,
): void {
  const fingerprint = sha256(shown).slice(0, 16);
  if (confirm !== fingerprint) throw new InvalidInputError("confirm", messageOf(fingerprint));
}

/** The input of a definition that asks for consent to what it found. */
export const fingerprint = (of: string, description: string) =>
  local(
    formed(z.string().regex(/^[0-9a-f]{16}$/), `the fingerprint of ${of}`, "0123456789abcdef").describe(
      description,
    ),
  ).optional();

import { z } from "zod";
import { InvalidInputError } from "../client/errors/errors";
import { sha256 } from "../define/sha256";
import { formed, local } from "../define/markers";

/** What migrations are brought by, and what of it the program consents to. */
export interface Transfer {
  readonly projectRef: string;
  readonly branchRef: string;
  readonly migrationVersion?: string | undefined;
  readonly confirm?: string | undefined;
}

/** Refuses what is shown unless the program names the very same by its fingerprint. */
export function requireConfirmed(
  shown: string,
  confirm: string | undefined,
  messageOf: (fingerprint: string) => string,
): void {
  const fingerprint = sha256(shown).slice(0, 16);
  if (confirm !== fingerprint) throw new InvalidInputError("confirm", messageOf(fingerprint));
}

/** The input of an action that asks for consent to what it found. */
export const fingerprint = (of: string, description: string) =>
  local(
    formed(z.string().regex(/^[0-9a-f]{16}$/), `the fingerprint of ${of}`, "0123456789abcdef").describe(
      description,
    ),
  ).optional();

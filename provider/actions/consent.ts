import { z } from "zod";
import { sha256 } from "../converge/sha256";
import { formed, local } from "../define/markers";

/** What was shown and is consented to, by a name that only the very same has. */
export function fingerprintOf(shown: string): string {
  return sha256(shown).slice(0, 16);
}

/** The input of an action that asks for consent to what it found. */
export const fingerprint = (of: string, description: string) =>
  local(
    formed(z.string().regex(/^[0-9a-f]{16}$/), `the fingerprint of ${of}`, "0123456789abcdef").describe(
      description,
    ),
  ).optional();

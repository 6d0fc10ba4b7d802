import { createHash } from "node:crypto";
import type { PkceChallenge } from "../../world/records/oauth";
import { Refusal } from "../../answers/refusal";

/** RFC 7636: what a verifier, and a plain challenge, looks like. */
const verifierForm = /^[\w.~-]{43,128}$/;
/** SHA-256 in base64url. */
const digestForm = /^[\w-]{43}$/;

/** The challenge of an authorization request; `sha256` is another name of `S256`. */
export function readChallenge(
  challenge: string | undefined,
  method: "plain" | "sha256" | "S256" | undefined,
): PkceChallenge | null {
  if (challenge === undefined) {
    if (method !== undefined) throw new Refusal(400, "code_challenge_method without code_challenge");
    return null;
  }
  // RFC 7636: without a method it is a plain one.
  const isPlain = (method ?? "plain") === "plain";
  if (!(isPlain ? verifierForm : digestForm).test(challenge)) {
    throw new Refusal(
      400,
      `Invalid code_challenge: ${isPlain ? "43 to 128 unreserved characters" : "43 characters of base64url"} are expected`,
    );
  }
  return { challenge, method: isPlain ? "plain" : "S256" };
}

/** Refuses a code whose exchange does not prove to come from where the authorization was asked for. */
export function checkVerifier(pkce: PkceChallenge | null, verifier: string | undefined): void {
  if (pkce === null) {
    // A verifier without a challenge points to an attack that left the challenge out (RFC 9700, 4.8).
    if (verifier !== undefined) throw new Refusal(400, "Invalid code_verifier: there was no code_challenge");
    return;
  }
  if (verifier === undefined) throw new Refusal(400, "Missing code_verifier");
  const proof =
    pkce.method === "plain" ? verifier : createHash("sha256").update(verifier).digest("base64url");
  if (!verifierForm.test(verifier) || proof !== pkce.challenge) {
    throw new Refusal(400, "Invalid code_verifier: it does not match the code_challenge");
  }
}

import type { z } from "zod";
import type { privateJwk } from "../../../spec/operations/signing-keys";

type RsaJwk = Extract<z.output<typeof privateJwk>, { kty: "RSA" }>;

const SMALLEST_MODULUS_BITS = 2048;

/** Checks what importing does not: a library signs with any `d` and finds out about the other numbers later or never. */
export function requireSoundRsa(jwk: RsaJwk, unsound: (why: string) => Error): void {
  const [n, e, d, p, q, dp, dq, qi] = [jwk.n, jwk.e, jwk.d, jwk.p, jwk.q, jwk.dp, jwk.dq, jwk.qi].map(
    numberOf,
  );
  if (!n || !e || !d || !p || !q || !dp || !dq || !qi)
    throw unsound("its numbers must be above 0, in base64url");
  const bits = n.toString(2).length;
  // RFC 7518, section 3.3.
  if (bits < SMALLEST_MODULUS_BITS)
    throw unsound(`its modulus has ${bits} bits, not ${SMALLEST_MODULUS_BITS}`);
  const fitsTogether =
    p > 1n &&
    q > 1n &&
    p * q === n &&
    (e * d) % (p - 1n) === 1n &&
    (e * d) % (q - 1n) === 1n &&
    d % (p - 1n) === dp &&
    d % (q - 1n) === dq &&
    (qi * q) % p === 1n;
  if (!fitsTogether) throw unsound("its numbers do not belong together");
}

function numberOf(text: string): bigint {
  return BigInt(`0x0${Buffer.from(text, "base64url").toString("hex")}`);
}

import { createHash, createHmac, pbkdf2Sync, timingSafeEqual } from "node:crypto";

/** Whether a password is the one of which Postgres keeps `verifier` for `role`. */
export function isPasswordOf(role: string, password: string, verifier: string): boolean {
  const [, iterations, salt, storedKey] =
    /^SCRAM-SHA-256\$(\d+):([^$]+)\$([^:]+):/.exec(verifier) ?? ([] as undefined[]);
  if (iterations === undefined || salt === undefined || storedKey === undefined) {
    return equal(
      `md5${createHash("md5")
        .update(password + role)
        .digest("hex")}`,
      verifier,
    );
  }
  const salted = pbkdf2Sync(
    password.normalize("NFKC"),
    Buffer.from(salt, "base64"),
    Number(iterations),
    32,
    "sha256",
  );
  const clientKey = createHmac("sha256", salted).update("Client Key").digest();
  return equal(createHash("sha256").update(clientKey).digest("base64"), storedKey);
}

export function equal(left: string, right: string): boolean {
  const [one, other] = [left, right].map((text) => createHash("sha256").update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}

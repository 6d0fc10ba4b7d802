import type { Migration } from "./migration-history";

const KEY = /^[a-z]{20}-(\d+)-([0-9a-f]{64})$/;

/** The idempotency key lets a migration be applied once, whoever sends it (service, Migrations). */
export function keyOf(ref: string, { version, sha256 }: Pick<Migration, "version" | "sha256">): string {
  return `${ref}-${version}-${sha256}`;
}

/** What a key of ours says of its migration. */
export function keyIn(key: string | null | undefined): Pick<Migration, "version" | "sha256"> | undefined {
  const [, version, hash] = KEY.exec(key ?? "") ?? [];
  return version === undefined || hash === undefined ? undefined : { version, sha256: hash };
}

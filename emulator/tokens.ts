import { randomBytes } from "node:crypto";

/** A personal access token to issue. */
export interface TokenSeed {
  /** Random when absent. */
  readonly token?: string;
  /** `full`, the default, holds every privilege of the user; `fine-grained` only the permissions listed. */
  readonly kind?: "full" | "fine-grained";
  readonly permissions?: readonly string[];
  /** Tokens of one user share their rate limits; `owner` when absent. */
  readonly user?: string;
}

/** What a token allows (management-api-1, Authentication 2 to 4). */
export type Grant =
  | { readonly kind: "full"; readonly identity: string }
  | { readonly kind: "fine-grained"; readonly identity: string; readonly permissions: ReadonlySet<string> }
  | { readonly kind: "oauth"; readonly identity: string; readonly scopes: ReadonlySet<string> };

/** The personal access tokens that are valid now. */
export class Tokens {
  private readonly grants = new Map<string, Grant>();

  issue(seed: TokenSeed = {}): string {
    const token = seed.token ?? `pat_${randomBytes(20).toString("hex")}`;
    const identity = `user:${seed.user ?? "owner"}`;
    const isFineGrained = (seed.kind ?? (seed.permissions ? "fine-grained" : "full")) === "fine-grained";
    this.grants.set(
      token,
      isFineGrained
        ? { kind: "fine-grained", identity, permissions: new Set(seed.permissions) }
        : { kind: "full", identity },
    );
    return token;
  }

  find(token: string): Grant | undefined {
    return this.grants.get(token);
  }

  /** Whether there was such a token. */
  revoke(token: string): boolean {
    return this.grants.delete(token);
  }

  clear(): void {
    this.grants.clear();
  }
}

import { createHmac } from "node:crypto";
import { sha256 } from "../../provider/core/sha256";

/** How a program reads a value of its stack's configuration. */
export type ConfigKind = "string" | "number" | "boolean" | "list";

/** A value that the program takes from its stack's configuration. What it is stays out of every text that is made of it. */
export class ConfigValue {
  readonly #value: string | undefined;

  constructor(
    /** The key in the configuration. */
    readonly name: string,
    readonly kind: ConfigKind,
    readonly isSecret: boolean,
    value?: string,
    /** What the service shows in place of the value. */
    readonly hash?: string,
  ) {
    this.#value = value;
  }

  /** What `pulumi config set` is given, where it is known. */
  get value(): string | undefined {
    return this.#value;
  }

  /** The value as its kind has it. */
  get typed(): string | number | boolean | readonly string[] | undefined {
    const value = this.#value;
    if (value === undefined) return undefined;
    if (this.kind === "number") return Number(value);
    if (this.kind === "boolean") return /^(?:1|t|true)$/i.test(value);
    return this.kind === "list" ? value.split(",") : value;
  }

  /** Whether a value at hand is the one of which only the hash is known; undefined where none is known. */
  isHashOf(value: string, projectRef: string): boolean | undefined {
    if (this.hash === undefined) return undefined;
    const hashes = [sha256(value), createHmac("sha256", projectRef).update(value).digest("hex")];
    return hashes.includes(this.hash);
  }

  toJSON(): unknown {
    return { config: this.name, kind: this.kind, secret: this.isSecret };
  }
}

/** A text that the program puts together of texts and configuration values. */
export class JoinedText {
  constructor(
    readonly parts: readonly (string | ConfigValue)[],
    readonly separator: string,
  ) {}
}

import { peekEntries } from "../../service/world/tracked-map";
import { isSecretName } from "./secret-names";

export const HIDDEN = "••••••";

/** Shorter texts under a secret name are no secrets that could be told from other words. */
const SHORTEST_KNOWN = 6;
/** The same of texts further below, where a key also has the name of its algorithm. */
const SHORTEST_BELOW = 16;
/** Maps of the state whose keys are what was issued. */
const ISSUED = new Set(["accessTokens", "refreshTokens", "codes"]);

const JWT = /\beyJ[\w-]{4,}\.[\w-]+\.[\w-]*/g;
const URL_PASSWORD = /(\b[a-z][a-z\d+.-]*:\/\/[^\s:/?#@]*:)[^\s"'<>]+(?=@)/gi;
const SQL_PASSWORD = /(\bpassword\s+)(?:e?'(?:[^']|'')*'|\$(\w*)\$.*?\$\2\$)/gis;
const PARAMETER = /([?&#]([\w.-]+)=)[^&#\s"'<>]+/g;

/** Texts without the secrets that they are known to hold. */
export class SecretHider {
  private readonly known = new Set<string>();

  constructor(private readonly path: string) {}

  /** Has every secret hidden, wherever it occurs, that lies under a secret name in `value`. */
  learn(value: unknown, shortest = Infinity): void {
    if (typeof value === "string") {
      if (value.length >= shortest) this.known.add(value);
    } else if (value instanceof Map) {
      // A collection: its keys are no names, and what it holds is more than secrets.
      for (const [, child] of peekEntries(value as Map<unknown, unknown>)) this.learn(child);
    } else if (Array.isArray(value) || value instanceof Set) {
      // As above, where it holds more than texts.
      for (const child of value as Iterable<unknown>) {
        this.learn(child, typeof child === "string" ? shortest : Infinity);
      }
    } else if (typeof value === "object" && value !== null && !(value instanceof Uint8Array)) {
      for (const [name, child] of Object.entries(value)) this.learnField(name, child, shortest);
    }
  }

  /** A value as it is shown: the same shape. */
  value(value: unknown, isSecret = false): unknown {
    if (Array.isArray(value)) return value.map((child) => this.value(child, isSecret));
    if (typeof value === "object" && value !== null) {
      const fields = Object.entries(value);
      return Object.fromEntries(
        fields.map(([name, child]) => [this.text(name), this.value(child, isSecret || this.isSecret(name))]),
      );
    }
    if (isSecret) return value === null || typeof value === "boolean" ? value : HIDDEN;
    return typeof value === "string" ? this.text(value) : value;
  }

  /** What stands under a name beside the body: a header, a parameter. */
  named(name: string, text: string): string {
    return this.isSecret(name) ? HIDDEN : this.text(text);
  }

  text(text: string): string {
    let shown = text;
    // The longest first: one may be a part of another.
    for (const secret of [...this.known].sort((one, other) => other.length - one.length)) {
      shown = shown.replaceAll(secret, HIDDEN).replaceAll(encodeURIComponent(secret), HIDDEN);
    }
    return shown
      .replaceAll(JWT, HIDDEN)
      .replaceAll(URL_PASSWORD, `$1${HIDDEN}`)
      .replaceAll(SQL_PASSWORD, `$1'${HIDDEN}'`)
      .replaceAll(PARAMETER, (whole, before: string, name: string) =>
        this.isSecret(name) || name === "code" ? before + HIDDEN : whole,
      );
  }

  private isSecret(name: string): boolean {
    return isSecretName(name, this.path);
  }

  private learnField(name: string, child: unknown, shortest: number): void {
    if (ISSUED.has(name) && child instanceof Map) {
      for (const key of child.keys()) this.learn(key, SHORTEST_KNOWN);
    }
    if (this.isSecret(name)) this.learn(child, SHORTEST_KNOWN);
    else this.learn(child, Math.max(shortest, SHORTEST_BELOW));
  }
}

import { generateKeyPairSync, randomBytes } from "node:crypto";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

export const PEM = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
export const JWK = privateKey.export({ format: "jwk" });

/** Secrets of the forms that people have, each longer than a message. */
export const LONG_SECRETS: Readonly<Record<string, string>> = {
  "a random text of 1.8 kB": randomBytes(1_350).toString("base64"),
  "a text that begins with a blank of forms": `+${randomBytes(300).toString("base64")}`,
  "a PEM key": PEM,
  "a JWK": JSON.stringify(JWK),
  "a file of credentials with a key in it": JSON.stringify({ type: "account", private_key: PEM }, null, 2),
  "a connection string": `postgresql://app:${randomBytes(600).toString("hex")}@db.example.com:5432/app`,
};

const json = (text: string): string => JSON.stringify(text).slice(1, -1);

const NAMED: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** How a service may escape what it repeats. */
export const ECHOES: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "inside JSON": json,
  "inside JSON inside JSON": (text) => json(json(text)),
  "inside JSON three levels down": (text) => json(json(json(text))),
  "in a URL": (text) => encodeURIComponent(text),
  "inside JSON in a URL": (text) => encodeURIComponent(json(text)),
  "in a form": (text) => new URLSearchParams({ "": text }).toString().slice(1),
  "in base64": (text) => Buffer.from(text).toString("base64"),
  "in hex": (text) => Buffer.from(text).toString("hex"),
  "in hex in capitals": (text) => Buffer.from(text).toString("hex").toUpperCase(),
  "as Postgres writes bytes": (text) => `\\x${Buffer.from(text).toString("hex")}`,
  "as escaped bytes": (text) => Buffer.from(text).toString("hex").replaceAll(/../g, "\\x$&"),
  "inside HTML": (text) =>
    text.replaceAll(/[&<>"']/g, (character) => NAMED[character] ?? `&#${character.charCodeAt(0)};`),
  "in references of HTML": (text) =>
    Array.from(text, (character) => `&#${character.codePointAt(0)};`).join(""),
  "in references of HTML by hex": (text) =>
    Array.from(text, (character) => `&#x${character.codePointAt(0)?.toString(16)};`).join(""),
  "in capitals": (text) => text.toUpperCase(),
  "with an indent": (text) => text.replaceAll("\n", "\n    "),
};

/** Which part of it. */
export const CUTS: Readonly<Record<string, (text: string) => string>> = {
  whole: (text) => text,
  "its beginning": (text) => `${text.slice(0, 300)}…`,
  "a little of its beginning": (text) => `${text.slice(0, 24)}...`,
  "a piece of it": (text) => `…${text.slice(150, 420)}…`,
  "its end": (text) => `…${text.slice(-200)}`,
};

const RUN = 8;

/** Runs of eight characters of a secret that a text shows: as they are, in base64 or as `echo` escapes them. */
export function runsLeft(
  text: string,
  secret: string,
  echo: (secret: string) => string = (same) => same,
): string[] {
  // Before the padding, the last character tells little, and is another one where more follows.
  const encoded = Buffer.from(secret).toString("base64").replace(/.=+$/, "");
  const shown = (run: string): boolean => text.includes(run) || text.includes(echo(run));
  return [...new Set([...runsOf(secret), ...runsOf(encoded)])].filter(shown);
}

/** Without those that begin or end with half a character. */
function runsOf(text: string): string[] {
  const length = Math.max(0, text.length - RUN + 1);
  return Array.from({ length }, (_, from) => text.slice(from, from + RUN)).filter((run) =>
    run.isWellFormed(),
  );
}

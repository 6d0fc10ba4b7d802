import { InvalidInputError } from "../client/errors/errors";

/** The token by which Pulumi knows a resource, component or function of this package. */
export function formatToken(name: string): string {
  return `management:index:${name}`;
}

/** The last part of `management:index:<Name>`; throws for a token of another package. */
export function parseToken(token: string): string {
  const name = /^management:index:(\w+)$/.exec(token)?.[1];
  if (name !== undefined) return name;
  throw new InvalidInputError(
    "type",
    `"${token}" is not a token of this package. Its tokens have the form \`management:index:<Name>\`.`,
  );
}

import type { WireAnswer } from "./transport";

/** Where a redirect within the same origin leads, as path and query; the token must stay with its origin. */
export function redirectTarget(
  origin: string,
  target: string,
  { status, headers: { location } }: WireAnswer,
): string | undefined {
  if (status < 300 || status >= 400 || location === undefined) return undefined;
  const current = `${origin}${target}`;
  if (!URL.canParse(location, current)) return undefined;
  const next = new URL(location, current);
  return next.origin === origin ? `${next.pathname}${next.search}` : undefined;
}

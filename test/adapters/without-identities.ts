/** Each service makes up its own refs, ids and keys: the first one becomes `#1`, wherever it stands. */
export function withoutIdentities(value: unknown): unknown {
  const known = new Map<string, string>();
  const text = JSON.stringify(value).replaceAll(
    /[\da-f]{8}(?:-[\da-f]{4,12}){4}|\b[a-z]{20}(?:-rr-[\w-]+)?\b|svc_secret_[\w-]{5}(?![\w-])|cli_login_\w+|[\w-]{30,}/g,
    (found) => {
      const mark = known.get(found) ?? `#${known.size + 1}`;
      known.set(found, mark);
      return mark;
    },
  );
  return JSON.parse(text);
}

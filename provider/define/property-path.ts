/** Keys and indexes from a resource's inputs down to a value. */
export type Path = readonly PropertyKey[];

/** `["keys", "email", 0]` as `keys.email[0]`; a key that is no plain name as `files["index.ts"]`, as Pulumi writes it. */
export function formatPath(path: Path): string {
  return path
    .map((part, index) => {
      if (typeof part === "number") return `[${part}]`;
      const key = String(part);
      if (!/^[A-Za-z_$][\w$-]*$/.test(key)) return `[${JSON.stringify(key)}]`;
      return index > 0 ? `.${key}` : key;
    })
    .join("");
}

/** The input that a formatted path begins with: `keys` of `keys.email[0]`. */
export function topName(path: string): string {
  return path.split(/[.[]/)[0] ?? path;
}

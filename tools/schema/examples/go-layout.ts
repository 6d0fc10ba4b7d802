/** A field of a composite literal, as `Name: value`. */
export type GoEntry = readonly [key: string, value: string];

/** A name as Go exports it. */
export function exported(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

/** Tabs, as gofmt has them. */
export function indentGo(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "\t");
}

/** A composite literal of named fields, its values aligned as gofmt does it: those of lines that follow each other. */
export function goLiteral(open: string, entries: readonly GoEntry[]): string {
  if (entries.length === 0) return `${open}{}`;
  const lines = entries.map(([key, value], index) => {
    if (value.includes("\n")) return `${key}: ${value},`;
    const width = Math.max(...run(entries, index).map(([each]) => each.length));
    return `${`${key}:`.padEnd(width + 1)} ${value},`;
  });
  return `${open}{\n${indentGo(lines.join("\n"))}\n}`;
}

/** The entries of one line each around this one. */
function run(entries: readonly GoEntry[], index: number): readonly GoEntry[] {
  const isBreak = ([, value]: GoEntry): boolean => value.includes("\n");
  const before = entries.slice(0, index).findLastIndex(isBreak) + 1;
  const after = entries.slice(index).findIndex(isBreak);
  return entries.slice(before, after === -1 ? undefined : index + after);
}

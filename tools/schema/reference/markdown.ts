/** A table; nothing where it would have no row. Columns that are empty in every row are left out. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const kept = columns
    .map((_, index) => index)
    .filter((index) => rows.some((row) => (row[index] ?? "") !== ""));
  const line = (cells: readonly string[]): string =>
    `| ${kept.map((index) => (cells[index] ?? "").replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return `${[line(columns), `|${" --- |".repeat(kept.length)}`, ...rows.map(line)].join("\n")}\n`;
}

/** A heading with what stands below it; nothing where that is empty. */
export function section(level: number, heading: string, ...body: readonly string[]): string {
  const text = paragraphs(...body);
  return text === "" ? "" : `${"#".repeat(level)} ${heading}\n\n${text}`;
}

export function paragraphs(...parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => `${part}\n`)
    .join("\n");
}

export function code(text: string): string {
  return `\`${text}\``;
}

export function codes(texts: readonly string[]): string {
  return texts.map(code).join(", ");
}

export function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\n`;
}

/** The name of a page: `SsoProvider` is `sso-provider`. */
export function pageName(typeOrName: string): string {
  return typeOrName.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "-").toLowerCase();
}

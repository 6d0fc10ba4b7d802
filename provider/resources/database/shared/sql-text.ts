/** A text as SQL on one line, whatever the server's settings. */
export function literal(text: string): string {
  const quoted = text.replaceAll("'", "''");
  if (!/[\\\n\r]/.test(text)) return `'${quoted}'`;
  return `E'${quoted.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\r", "\\r")}'`;
}

/** A name as SQL. */
export function named(...parts: readonly string[]): string {
  return parts.map((part) => `"${part.replaceAll('"', '""')}"`).join(".");
}

/** Texts as an array of SQL. */
export function texts(all: readonly string[]): string {
  return `array[${all.map(literal).join(", ")}]::text[]`;
}

/** A block of statements that runs by itself, on one line. */
export function block(statements: string): string {
  return `do $management$ begin ${statements} end $management$;`;
}

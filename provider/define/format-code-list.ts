/** Names in a message: each in backticks, with commas in between. */
export function formatCodeList(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

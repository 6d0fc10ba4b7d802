/** Names in a message: each in backticks, with commas in between. */
export function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

/** Names in a message: each in backticks, with commas in between; of more than `most` the first and how many others there are. */
export function formatCodeList(names: readonly string[], most = names.length): string {
  const shown = names
    .slice(0, most)
    .map((name) => `\`${name}\``)
    .join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

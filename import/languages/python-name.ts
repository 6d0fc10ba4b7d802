const KEYWORDS = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except exec finally for from " +
    "global if import in is lambda nonlocal not or pass print raise return try while with yield"
  ).split(" "),
);

/** The name that Pulumi's generator gives a property in Python: `metadataUrl` becomes `metadata_url`. */
export function toPythonName(name: string): string {
  const snake = name
    // A run of capitals is one word, digits and a plural `s` behind it included: `dbAllowedCIDRs`.
    .replaceAll(/([A-Z]+)(?=[A-Z][a-rt-z])/g, "$1_")
    .replaceAll(/([a-z0-9])(?=[A-Z])/g, "$1_")
    .replaceAll(/[^A-Za-z0-9_]/g, "_")
    .toLowerCase();
  return KEYWORDS.has(snake) ? `${snake}_` : snake;
}

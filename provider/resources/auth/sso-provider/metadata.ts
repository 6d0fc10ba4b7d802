/** White space between and around tags means nothing in SAML metadata, and services lay it out anew. */
export function normalizeXml(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return value
    .replace(/^\uFEFF/, "")
    .replace(/\s+/g, " ")
    .replace(/ ?(<|\/?>) ?/g, "$1")
    .trim();
}

/** The entity that a metadata document describes. */
export function entityIdIn(xml: string | undefined): string | undefined {
  const found = /\sentityID\s*=\s*(?:"([^"]+)"|'([^']+)')/.exec(xml ?? "");
  return found?.[1] ?? found?.[2];
}

/** Domains are names of DNS: neither order nor case means anything. */
export function normalizeDomains(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return [...new Set(value.map((domain) => String(domain).toLowerCase()))].sort();
}

import type { XmlElement } from "@rgrove/parse-xml";

/** What metadata means: services change its layout, its quotes and the order of its attributes. */
export function normalizeXml(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.stringify(rootOf(value), omitLayout);
  } catch {
    // What is no XML, or nested too deeply to be read, is compared as text.
    return toOneLine(value);
  }
}

/** The entity that a metadata document describes: of several, the first. */
export function readEntityId(xml: string | undefined): string | undefined {
  try {
    return xml === undefined ? undefined : entityIdOf(rootOf(xml));
  } catch {
    return undefined;
  }
}

/** Domains are names of DNS: neither order nor case means anything. */
export function normalizeDomains(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return [...new Set(value.map((domain) => String(domain).toLowerCase()))].sort();
}

/** Throws for what is not well-formed. An entity that the document defines is unknown, so that none expands. */
function rootOf(xml: string): XmlElement {
  const { root } = loadParser().parseXml(xml.trim(), { sortAttributes: true });
  if (root === null) throw new Error("the document is empty");
  return root;
}

function omitLayout(_key: string, part: unknown): unknown {
  if (typeof part === "string") return toOneLine(part);
  return Array.isArray(part) ? part.filter(({ text }: { text?: string }) => text?.trim() !== "") : part;
}

function entityIdOf({ attributes, children }: XmlElement): string | undefined {
  if (attributes["entityID"]) return attributes["entityID"];
  const inChildren = children.map((child) => ("attributes" in child ? entityIdOf(child) : undefined));
  return inChildren.find((id) => id !== undefined);
}

function toOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Loaded on first use: few programs have an SSO provider. */
function loadParser(): typeof import("@rgrove/parse-xml") {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load it at the start
  return require("@rgrove/parse-xml") as typeof import("@rgrove/parse-xml");
}

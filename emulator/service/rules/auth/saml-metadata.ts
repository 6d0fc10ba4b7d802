import type { XmlDocument, XmlElement } from "@rgrove/parse-xml";
import type { World } from "../../world/world";
import { Refusal } from "../../answers/refusal";

export interface SamlMetadata {
  readonly entityId: string;
  readonly metadataXml: string | null;
  readonly metadataUrl: string | null;
}

interface SentMetadata {
  readonly metadata_xml?: string | undefined;
  readonly metadata_url?: string | undefined;
}

/** The metadata that was sent, as text or as the URL that serves it; undefined when neither was. */
export function readMetadata(world: World, sent: SentMetadata): SamlMetadata | undefined {
  const { metadata_xml: xml, metadata_url: url } = sent;
  if (xml !== undefined && url !== undefined) {
    throw new Refusal(400, "Only one of metadata_xml and metadata_url can be set");
  }
  if (xml !== undefined) {
    return { entityId: entityIdIn(world, xml, "metadata_xml: it"), metadataXml: xml, metadataUrl: null };
  }
  if (url === undefined) return undefined;
  if (!isHttps(url)) throw new Refusal(400, `metadata_url: "${url}" is not a valid HTTPS URL`);
  const served = world.state.samlMetadata.get(url);
  const entityId = served === undefined ? url : entityIdIn(world, served, "metadata_url: what it serves");
  return { entityId, metadataXml: served ?? null, metadataUrl: url };
}

function isHttps(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === "https:";
}

/** The entity that a document describes (SAML 2.0 Metadata, 2.3). */
function entityIdIn(world: World, xml: string, what: string): string {
  const entity = identityProviderIn(rootOf(xml, what));
  const entityId = entity?.attributes["entityID"] ?? "";
  if (entity === undefined || entityId === "") {
    throw new Refusal(400, `${what} has no EntityDescriptor with an entityID`);
  }
  const roles = elementsIn(entity).map(localName);
  if (roles.includes("SPSSODescriptor") && !roles.includes("IDPSSODescriptor")) {
    throw new Refusal(
      400,
      `${what} describes ${entityId} as a service provider, not as an identity provider`,
    );
  }
  const until = entity.attributes["validUntil"];
  if (until !== undefined) requireStillValid(world, until, what);
  return entityId;
}

/** A federation's document describes many entities, of which the first identity provider is meant. */
function identityProviderIn(root: XmlElement): XmlElement | undefined {
  if (localName(root) === "EntityDescriptor") return root;
  if (localName(root) !== "EntitiesDescriptor") return undefined;
  const entities = elementsIn(root).filter((child) => localName(child) === "EntityDescriptor");
  return entities.find((entity) => elementsIn(entity).some((role) => localName(role) === "IDPSSODescriptor"));
}

function elementsIn({ children }: XmlElement): XmlElement[] {
  return children.filter((child) => "attributes" in child);
}

/** An element's name without its prefix. */
function localName({ name }: XmlElement): string {
  return name.slice(name.indexOf(":") + 1);
}

function requireStillValid(world: World, until: string, what: string): void {
  const end = Date.parse(until);
  if (Number.isNaN(end)) throw new Refusal(400, `${what} has a validUntil that is no time: ${until}`);
  if (end <= world.clock.now()) throw new Refusal(400, `${what} has expired: it was valid until ${until}`);
}

function rootOf(xml: string, what: string): XmlElement {
  const { root, children } = parsed(xml, what);
  const isDefining = children.some((child) => "internalSubset" in child && child.internalSubset !== null);
  if (root === null || isDefining) {
    throw new Refusal(400, `${what} has a document type that defines something`);
  }
  return root;
}

function parsed(xml: string, what: string): XmlDocument {
  try {
    return loadParser().parseXml(xml.trim(), { preserveDocumentType: true });
  } catch (error) {
    // The lines after the first show the place.
    const [reason] = String(error instanceof Error ? error.message : error).split("\n");
    throw new Refusal(400, `${what} is not valid XML: ${reason}`);
  }
}

/** Loaded on first use: few have an SSO provider. */
function loadParser(): typeof import("@rgrove/parse-xml") {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load it at every start
  return require("@rgrove/parse-xml") as typeof import("@rgrove/parse-xml");
}

import { Refusal } from "../handler";
import type { World } from "../world";

export interface SamlMetadata {
  readonly entityId: string;
  readonly metadataXml: string | null;
  readonly metadataUrl: string | null;
}

interface Sent {
  readonly metadata_xml?: string | undefined;
  readonly metadata_url?: string | undefined;
}

/** The metadata that was sent, as text or as the URL that serves it; undefined when neither was. */
export function readMetadata({ state }: World, sent: Sent): SamlMetadata | undefined {
  const { metadata_xml: xml, metadata_url: url } = sent;
  if (xml !== undefined && url !== undefined) {
    throw new Refusal(400, "Only one of metadata_xml and metadata_url can be set");
  }
  if (xml !== undefined) return { entityId: entityIdIn(xml), metadataXml: xml, metadataUrl: null };
  if (url === undefined) return undefined;
  if (!isHttps(url)) throw new Refusal(400, "metadata_url is not a valid HTTPS URL");
  const served = state.samlMetadata.get(url);
  const entityId = served === undefined ? url : entityIdIn(served);
  return { entityId, metadataXml: served ?? null, metadataUrl: url };
}

function isHttps(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === "https:";
}

/** The entity that a metadata document describes; its tags must at least be closed in order. */
function entityIdIn(xml: string): string {
  if (!isWellFormed(xml)) throw new Refusal(400, "metadata_xml is not valid XML");
  const entityId = /<(?:[\w.-]+:)?EntityDescriptor\b[^>]*?\sentityID\s*=\s*(?:"([^"]+)"|'([^']+)')/.exec(xml);
  const found = entityId?.[1] ?? entityId?.[2];
  if (found === undefined) throw new Refusal(400, "metadata_xml has no EntityDescriptor with an entityID");
  return found;
}

function isWellFormed(xml: string): boolean {
  const content = xml
    .replace(/^\uFEFF/, "")
    .replace(/<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<[?!][^>]*>/g, "");
  const open: string[] = [];
  let elements = 0;
  const outside = content.replace(
    /<(\/?)([A-Za-z_][\w.:-]*)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/g,
    (_tag, closing: string, name: string, _attributes, empty: string) => {
      elements += 1;
      if (closing === "") {
        if (empty === "") open.push(name);
        return "";
      }
      return open.pop() === name ? "" : "<";
    },
  );
  return elements > 0 && open.length === 0 && !outside.includes("<");
}

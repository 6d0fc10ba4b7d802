import type { ObservedResource } from "../../../define/resource";
import type { SsoProviderAnswer, SsoProviderUpdateBody } from "./calls";
import type { SsoProviderInputs, SsoProviderOutputs } from "./fields";

/** What is declared, and of the two metadata fields never both. */
export function toBody(declared: SsoProviderInputs): SsoProviderUpdateBody {
  const { metadataXml, metadataUrl, domains, attributeMapping, nameIdFormat } = declared;
  return {
    ...(metadataUrl !== undefined
      ? { metadata_url: metadataUrl }
      : metadataXml !== undefined
        ? { metadata_xml: metadataXml }
        : {}),
    ...(domains === undefined ? {} : { domains }),
    ...(attributeMapping === undefined ? {} : { attribute_mapping: attributeMapping }),
    ...(nameIdFormat === undefined ? {} : { name_id_format: nameIdFormat }),
  };
}

/** Fields that are not set are left out of `saml`, so what is missing there is not set. Domains that are missing are unknown. */
export function fromWire(
  record: SsoProviderAnswer,
  declared: Partial<SsoProviderInputs>,
): ObservedResource<SsoProviderInputs, SsoProviderOutputs> {
  const { saml, domains } = record;
  const url = saml?.metadata_url ?? null;
  const mappedKeys = saml?.attribute_mapping?.keys;
  // The service may show the document that it fetched from the URL; it is nobody's input then.
  const isFetched = url !== null && declared.metadataXml === undefined;
  return {
    inputs: {
      ...(saml == null
        ? {}
        : {
            type: "saml" as const,
            metadataUrl: url,
            metadataXml: isFetched ? undefined : saml.metadata_xml,
            attributeMapping: mappedKeys == null ? null : { keys: mappedKeys },
            // A format of a later version of the service differs from the declared one, whatever it is.
            nameIdFormat: (saml.name_id_format ?? null) as SsoProviderInputs["nameIdFormat"] | null,
          }),
      domains: domains === undefined ? undefined : (domains ?? []).flatMap(({ domain }) => domain ?? []),
    },
    outputs: {
      entityId: saml?.entity_id ?? undefined,
      samlId: saml?.id ?? undefined,
      createdAt: record.created_at ?? undefined,
      updatedAt: record.updated_at ?? undefined,
    },
  };
}

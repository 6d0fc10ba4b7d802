import { z } from "zod";
import { defineFunction } from "../../define/function";
import { listSsoProvidersOnce, type SsoProviderRecord } from "../../resources/auth/sso-provider/calls";
import { ssoProviderInputs, ssoProviderOutputs } from "../../resources/auth/sso-provider/fields";
import { problems as ssoProblems } from "../../resources/auth/sso-provider/problems";
import { fromWire } from "../../resources/auth/sso-provider/wire";
import { ofProject, explainMissingProject } from "../../lookup/missing-errors";
import { projectRef } from "../../define/shared-arguments";
import { toFoundShape, pickPresentFields } from "../answers";

const inputs = z.strictObject({ projectRef });

/** A provider as both functions return it. */
export const ssoProvider = z
  .object({
    providerId: z.string().describe("Identifier of the provider."),
    type: z.string().describe("Type of provider: `saml`.").optional(),
    metadataUrl: z.string().describe("URL from which the service fetches the metadata.").optional(),
    metadataXml: z
      .string()
      .describe("SAML metadata document of the identity provider, if the listing includes it.")
      .optional(),
    domains: z.array(z.string()).describe("Email domains whose users sign in with this provider.").optional(),
    attributeMapping: ssoProviderInputs.shape.attributeMapping,
    nameIdFormat: z.string().describe("Requested format of the name identifier, a SAML URN.").optional(),
    ...toFoundShape(ssoProviderOutputs.shape),
  })
  .describe("A SAML identity provider of a project.");

const outputs = z.object({
  ssoProviders: z.array(ssoProvider).describe("All SSO providers of the project."),
});

export function toProvider(record: SsoProviderRecord): z.output<typeof ssoProvider> {
  const { inputs: seen, outputs: others } = fromWire(record, {});
  return {
    providerId: record.id,
    ...pickPresentFields({
      type: seen.type,
      metadataUrl: seen.metadataUrl,
      metadataXml: record.saml?.metadata_xml,
      domains: seen.domains,
      attributeMapping: seen.attributeMapping,
      nameIdFormat: seen.nameIdFormat,
    }),
    ...pickPresentFields(others),
  };
}

/** The SAML identity providers of a project. */
export const getSsoProviders = defineFunction({
  name: "getSsoProviders",
  description:
    "Lists the SAML identity providers through which users of a project sign in. SAML must be enabled for the project.",
  inputs,
  outputs,
  problems: { notListed: ssoProblems.notListed, ...ofProject },
  async run(ctx, { projectRef: ref }) {
    const providers = await explainMissingProject(ref, listSsoProvidersOnce(ctx, ref));
    return { ssoProviders: providers.map(toProvider) };
  },
});

import { z } from "zod";
import { defineProblem } from "../../client/errors/problem";
import { defineFunction } from "../../define/function";
import {
  listSsoProvidersOnce,
  addMetadataXml,
  type SsoProviderRecord,
} from "../../resources/auth/sso-provider/calls";
import { problems as ssoProblems } from "../../resources/auth/sso-provider/problems";
import { createNotFoundError, ofProject, explainMissingProject } from "../../lookup/missing-errors";
import { requireExactlyOne, formatNames, formatIdentity } from "../one-of-several";
import { projectRef } from "../../define/shared-arguments";
import { shareInFlight } from "../answers";
import { ssoProvider, toProvider } from "./get-sso-providers";

const inputs = z
  .strictObject({
    projectRef,
    providerId: z.string().min(1).describe("Identifier of the provider, a UUID.").optional(),
    domain: z
      .string()
      .min(1)
      .describe("Email domain whose users sign in with the provider, case-insensitive.")
      .optional(),
    entityId: z.string().min(1).describe("Entity ID from the identity provider's metadata.").optional(),
  })
  .superRefine((given, check) => {
    requireExactlyOne(given, ["providerId", "domain", "entityId"], check);
  });

const outputs = z.object({
  ...ssoProvider.shape,
  metadataXml: z.string().describe("SAML metadata document of the identity provider.").optional(),
});

const problems = {
  notListed: ssoProblems.notListed,
  ...ofProject,
  noProvider: defineProblem({
    says: "The project {ref} has no SSO provider with the {wanted}; it has {present}. {remedy}.",
    means: "The project has no such SSO provider.",
    remedy: "Check the value, and that the provider has not been deleted",
  }),
};

function domainsOf({ domains }: SsoProviderRecord): string[] {
  return domains?.flatMap(({ domain }) => domain ?? []) ?? [];
}

function formatProvider(record: SsoProviderRecord): string {
  const domains = domainsOf(record);
  return `${record.id} (${domains.length === 0 ? "without domains" : domains.join(", ")})`;
}

/** A SAML identity provider of a project. */
export const getSsoProvider = defineFunction({
  name: "getSsoProvider",
  description:
    "Reads a SAML identity provider of a project by its identifier, an email domain or its entity ID, with its metadata document. SAML must be enabled for the project.",
  inputs,
  outputs,
  problems,
  async run(ctx, { projectRef: ref, providerId, domain, entityId }) {
    const providers = await explainMissingProject(ref, listSsoProvidersOnce(ctx, ref));
    const wantedDomain = domain?.toLowerCase() ?? "";
    // A domain belongs to one provider, as an entity ID does.
    const found = providers.find((each) => {
      if (providerId !== undefined) return each.id === providerId;
      if (entityId !== undefined) return each.saml?.entity_id === entityId;
      return domainsOf(each).some((one) => one.toLowerCase() === wantedDomain);
    });
    if (found === undefined) {
      const wanted = formatIdentity({ providerId, domain, entityId });
      const present = formatNames(providers, formatProvider);
      throw createNotFoundError("listSsoProviders", problems.noProvider.message({ ref, wanted, present }));
    }
    const key = `sso-provider:${ref}:${found.id}`;
    return toProvider(await shareInFlight(ctx, key, () => addMetadataXml(ctx, ref, found)));
  },
});

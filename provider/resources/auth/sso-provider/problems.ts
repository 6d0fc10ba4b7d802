import { defineProblem } from "../../../client/errors/problem";

export const problems = {
  notEnabled: defineProblem({
    says: "SAML is not enabled for the project, or `projectRef` is wrong{answer}. No SSO provider was created. {remedy}.",
    means:
      "The service answered 404: the project's plan or auth settings lack SAML 2.0, or the project does not exist.",
    remedy: "Enable SAML 2.0 in the project's auth settings, on a plan that includes it, then run again",
  }),
  notListed: defineProblem({
    says: "The service does not list the project's SSO providers: SAML is not enabled, or the token may not read them{answer}. Nothing was changed, and all providers are treated as still present. {remedy}.",
    means:
      "The service answered 404: the project's plan or auth settings lack SAML 2.0, or the token may not read the providers.",
    remedy:
      "Enable SAML 2.0 in the project's auth settings, or use a token with the permission, then run again. To keep a provider without managing it, remove it from the state: `pulumi state delete '{urn}'`",
  }),
  metadataTwice: defineProblem({
    says: "`metadataXml` and `metadataUrl` cannot be combined",
    means: "Both are declared.",
    remedy: "Remove one of the two",
  }),
};

import { defineProblem } from "../../../client/errors/problem";

export const problems = {
  notEnabled: defineProblem({
    says: "SAML is not enabled for the project, so no SSO provider was created{answer}. {remedy}; a wrong `projectRef` is answered in the same way.",
    means: "404: the project's plan or its authentication settings lack SAML 2.0.",
    remedy: "Enable SAML 2.0 in the project's authentication settings, on a plan that has it, and run again",
  }),
  notListed: defineProblem({
    says: "The service does not list the project's SSO providers (404): SAML is not enabled for the project, or the token may not see them. Nothing was changed, and none is taken to be gone{answer}. {remedy}.",
    means:
      "404: the project's plan or its authentication settings lack SAML 2.0, or the token may not see its providers.",
    remedy:
      "Enable SAML 2.0 in the project's authentication settings, or use a token that may read them, and run again. To leave a provider behind, take it out of the state: `pulumi state delete <urn>`",
  }),
  metadataTwice: defineProblem({
    says: "exactly one of `metadataXml` and `metadataUrl` is allowed, but both are given",
    means: "Both are given.",
    remedy: "Take one out",
  }),
};

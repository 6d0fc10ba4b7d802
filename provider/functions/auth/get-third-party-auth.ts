import { z } from "zod";
import { InvalidInputError } from "../../client/errors/errors";
import { defineProblem } from "../../client/errors/problem";
import { defineFunction } from "../../define/function";
import {
  fromWire,
  listIntegrationsOnce,
  formatIntegration,
  thirdPartyAuth,
} from "../../resources/auth/third-party-auth/third-party-auth";
import { createNotFoundError, ofProject, explainMissingProject } from "../../lookup/missing-errors";
import { requireExactlyOne, formatNames, requireOnly, formatIdentity } from "../one-of-several";
import { projectRef } from "../../define/shared-arguments";
import { toFoundShape, pickPresentFields } from "../answers";

const IDENTITIES = ["thirdPartyAuthId", "oidcIssuerUrl", "jwksUrl"] as const;

const inputs = z
  .strictObject({
    projectRef,
    thirdPartyAuthId: z.string().min(1).describe("Identifier of the integration, a UUID.").optional(),
    oidcIssuerUrl: z
      .string()
      .min(1)
      .describe("URL of the OpenID Connect issuer, exactly as declared.")
      .optional(),
    jwksUrl: z
      .string()
      .min(1)
      .describe("URL of the third party's JSON Web Key Set, exactly as declared.")
      .optional(),
  })
  .superRefine((given, check) => {
    requireExactlyOne(given, IDENTITIES, check);
  });

const { customJwks } = thirdPartyAuth.inputs.shape;

const outputs = z.object({
  thirdPartyAuthId: z.string().describe("Identifier of the integration."),
  oidcIssuerUrl: z
    .string()
    .describe("URL of the OpenID Connect issuer whose tokens are accepted.")
    .optional(),
  jwksUrl: z.string().describe("URL of the third party's JSON Web Key Set.").optional(),
  customJwks: customJwks.describe("The third party's public keys, if they were declared."),
  ...toFoundShape(thirdPartyAuth.outputs.shape),
});

const problems = {
  ...ofProject,
  noIntegration: defineProblem({
    says: "The project {ref} has no third-party auth with the {wanted}; it has {present}. {remedy}.",
    means: "The project has no such integration.",
    remedy: "Check the value, and that the integration has not been deleted",
  }),
  severalIntegrations: defineProblem({
    says: "The project {ref} has {count} integrations with the {wanted}: {candidates}. {remedy}.",
    means: "Several integrations have this URL; the message lists them.",
    remedy: "Give `thirdPartyAuthId` to choose one of them",
  }),
};

/** A third party whose tokens a project accepts. */
export const getThirdPartyAuth = defineFunction({
  name: "getThirdPartyAuth",
  description:
    "Reads a third party whose tokens a project accepts by its identifier or URL, with the keys that the service found last.",
  inputs,
  outputs,
  problems,
  async run(ctx, { projectRef: ref, ...identity }) {
    const all = [...(await explainMissingProject(ref, listIntegrationsOnce(ctx, ref))).values()];
    const found = all.filter(
      (each) =>
        each.id === identity.thirdPartyAuthId ||
        (identity.oidcIssuerUrl !== undefined && each.oidc_issuer_url === identity.oidcIssuerUrl) ||
        (identity.jwksUrl !== undefined && each.jwks_url === identity.jwksUrl),
    );
    const wanted = formatIdentity(identity);
    const namesIn = (some: typeof all): string =>
      formatNames(some, (each) => `${each.id} (${formatIntegration(each)})`, "; ");
    const only = requireOnly(
      found,
      () => {
        const message = problems.noIntegration.message({ ref, wanted, present: namesIn(all) });
        return createNotFoundError("listThirdPartyAuth", message);
      },
      () => {
        const values = { ref, count: found.length, wanted, candidates: namesIn(found) };
        return new InvalidInputError(
          identity.jwksUrl === undefined ? "oidcIssuerUrl" : "jwksUrl",
          problems.severalIntegrations.message(values),
        );
      },
    );
    const { inputs: seen, outputs: state } = fromWire(only);
    return { thirdPartyAuthId: only.id, ...pickPresentFields(seen), ...pickPresentFields(state) };
  },
});

import { defineProblem } from "../../../client/errors/problem";

export const problems = {
  severalSources: defineProblem({
    says: "exactly one of `oidcIssuerUrl`, `jwksUrl` and `customJwks` is allowed, but several are given",
    means: "Several are given.",
    remedy: "Leave one, and declare a resource of its own for each other one",
  }),
  privateKey: defineProblem({
    says: "this is a private key, which the service would show: {remedy}",
    means: "A key of `customJwks` has its private half (`d`).",
    remedy: "Give its public half only, without `d`, and consider the key as exposed if it was ever sent",
  }),
  sharedSecret: defineProblem({
    says: "this is a shared secret, which the service would show: {remedy}",
    means: "A key of `customJwks` is a shared secret (`oct`).",
    remedy: "Let the third party sign with a key pair, and give the public key",
  }),
};

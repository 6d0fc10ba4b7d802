import { defineProblem } from "../../../client/errors/problem";

export const problems = {
  keyChange: defineProblem({
    says: "the root key is not the one that was there, and what was encrypted with that one may be lost: {remedy}",
    means: "`rootKey` changed, in the program or on the service, without `allowKeyChange`.",
    remedy:
      "Set `allowKeyChange: true` to replace the key, or declare the key that is there, which `pulumi refresh` brings into the state",
  }),
  anotherKeyThere: defineProblem({
    says: "The project {ref} has another root key than `rootKey`, and what was encrypted with it may be lost. Nothing was changed. {remedy}.",
    means: "The project has another root key, and `allowKeyChange` is not set.",
    remedy:
      "Set `allowKeyChange: true` to replace the key, which does no harm in a project that has encrypted nothing yet; or import the key that is there",
  }),
  leftBehind: defineProblem({
    says: "the root key of {ref} stays as it is: what is encrypted with it needs it. Only Pulumi's record of it is removed.",
    means: "A warning: deleting the resource leaves the key in place.",
    remedy: "Nothing",
  }),
};

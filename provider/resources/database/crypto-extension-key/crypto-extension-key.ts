import { z } from "zod";
import { updateCryptoExtConfigBody } from "../../../../spec/operations/crypto-extension";
import { InvalidInputError } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import { formed, secret } from "../../../define/markers";
import { defineSettings } from "../../../settings/settings";
import { startingCalls } from "../../../waiting/starting-calls";

const problems = {
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

/** The key by which a project's database encrypts. */
export const cryptoExtensionKey = defineSettings({
  type: "CryptoExtensionKey",
  description:
    "The root key by which the crypto extension of a project's database encrypts. A change can make what was encrypted before unreadable, so it needs `allowKeyChange: true`. Deleting the resource leaves the key in place.",
  settings: {
    rootKey: secret(
      formed(
        z.string().regex(/^[\da-f]{64}$/i),
        "64 hexadecimal characters",
        "0123456789abcdef".repeat(4),
      ).describe("The root key: 64 hexadecimal characters. The service shows it to those who may write it."),
    ),
  },
  options: {
    allowKeyChange: z
      .boolean()
      .describe(
        "Allows the provider to replace a root key that differs from `rootKey`, in a create too. Whatever was encrypted with that key may be lost.",
      )
      .optional(),
  },
  outputs: {},
  wireNames: {},
  body: updateCryptoExtConfigBody,
  timeouts: { create: 300, update: 300, delete: 300 },
  problems,
  conditionalCalls: startingCalls("create", "update"),
  mode: "replace",
  services: ["db"],
  // In the preview already, where the key that is there is known.
  check({ rootKey, allowKeyChange }, isUnknown, before) {
    const known = before?.["rootKey"];
    const isChange = typeof known === "string" && rootKey !== undefined && known !== rootKey;
    const isAllowed = allowKeyChange === true || isUnknown("allowKeyChange");
    return isChange && !isAllowed ? [{ path: "rootKey", reason: problems.keyChange.message() }] : [];
  },
  get: (ctx, ref) => ctx.api.getCryptoExtConfig({ ref }),
  put(ctx, ref, body, { allowKeyChange }) {
    if (allowKeyChange !== true) {
      throw new InvalidInputError("allowKeyChange", problems.anotherKeyThere.message({ ref }));
    }
    return ctx.api.updateCryptoExtConfig({ ref, body });
  },
  leftBehind: (ref) => problems.leftBehind.message({ ref }),
});

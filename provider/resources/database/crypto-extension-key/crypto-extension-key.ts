import { z } from "zod";
import { updateCryptoExtConfigBody } from "../../../../spec/operations/crypto-extension";
import { InvalidInputError } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import { formed, secret } from "../../../define/markers";
import { defineSettings } from "../../../settings/settings";

const problems = {
  keyChange: defineProblem({
    says: "the current root key is another one, and data encrypted with it may be lost: {remedy}",
    means: "`rootKey` changed in the program or on the service, and `allowKeyChange` is not set.",
    remedy:
      "Set `allowKeyChange: true` to replace the key, or declare the current key, which `pulumi refresh` writes to the state",
  }),
  anotherKeyThere: defineProblem({
    says: "The project {ref} has another root key than `rootKey`, and data encrypted with it may be lost. Nothing was changed. {remedy}.",
    means: "The project has another root key, and `allowKeyChange` is not set.",
    remedy:
      "Set `allowKeyChange: true` to replace the key; this is safe if the project has encrypted nothing yet. Or import the current key",
  }),
  leftBehind: defineProblem({
    says: "the root key of {ref} was not deleted, because encrypted data needs it. It was only removed from Pulumi's state.",
    means: "Warning. Deleting the resource leaves the key in place.",
    remedy: "Nothing",
  }),
};

const settings = defineSettings(
  {
    type: "CryptoExtensionKey",
    description:
      "The root key of the crypto extension in a project's database. Changing it can make encrypted data unreadable, so a change needs `allowKeyChange: true`. Deleting the resource leaves the key in place.",
    settings: {
      rootKey: secret(
        formed(
          z.string().regex(/^[\da-f]{64}$/i),
          "64 hexadecimal characters",
          "0123456789abcdef".repeat(4),
        ).describe(
          "Root key: 64 hexadecimal characters. The service returns it only to tokens that may write it.",
        ),
      ),
    },
    options: {
      allowKeyChange: z
        .boolean()
        .describe(
          "Whether the provider may replace another root key with `rootKey`, also in a create. Data encrypted with the other key may be lost. Default: `false`.",
        )
        .optional(),
    },
    outputs: {},
    wireNames: {},
    body: updateCryptoExtConfigBody,
    timeouts: { create: 300, update: 300, delete: 300 },
    problems,
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
    put(ctx, ref, body, { options: { allowKeyChange } }) {
      if (allowKeyChange !== true) {
        throw new InvalidInputError("allowKeyChange", problems.anotherKeyThere.message({ ref }));
      }
      return ctx.api.updateCryptoExtConfig({ ref, body });
    },
  },
  { adjustPlan: (plan) => ({ ...plan, originals: undefined }) },
);

// An earlier key is neither kept nor restored: encrypted data needs the one that is there.
const { bookkeeping: _, ...resource } = settings;
const { restoreRefused: _refused, lostSecret: _lost, ...others } = settings.problems ?? {};

/** The key by which a project's database encrypts. */
export const cryptoExtensionKey: typeof resource = {
  ...resource,
  problems: others,
  delete(ctx, { id: ref }) {
    ctx.warn(problems.leftBehind.message({ ref }));
    return Promise.resolve();
  },
};

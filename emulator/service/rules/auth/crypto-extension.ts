import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import { projectAt, settledProjectAt } from "../shared/project-at";
import { Refusal } from "../../answers/refusal";
import { derivedBytes } from "../../world/derived-bytes";
import type { ProjectRecord } from "../../world/records/project";

const getCryptoExtConfig: Handler<Operations["getCryptoExtConfig"]> = ({ params, world }) => ({
  root_key: projectAt(world, params.ref).cryptoExtension.rootKey,
});

/** Unknown what a root key must look like: here any text is one, except none at all. */
const updateCryptoExtConfig: Handler<Operations["updateCryptoExtConfig"]> = ({ params, body, world }) => {
  const project = settledProjectAt(world, params.ref);
  if (!/^[\da-f]{64}$/i.test(body.root_key)) {
    throw new Refusal(400, "Expected a 32 byte secret, hex-encoded (64 characters).");
  }
  project.cryptoExtension.rootKey = body.root_key;
  return { root_key: body.root_key };
};

export function newCryptoExtension(ref: string): ProjectRecord["cryptoExtension"] {
  return { rootKey: derivedBytes(`${ref} root key`, 32).toString("hex") };
}

export const cryptoExtensionHandlers = { getCryptoExtConfig, updateCryptoExtConfig };

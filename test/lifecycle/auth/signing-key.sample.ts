import type { signingKey } from "../../../provider/resources/auth/signing-key/signing-key";
import { PRIVATE_JWK } from "./private-jwk";
import { field, type SampleOf } from "../sample";

export const sample: SampleOf<typeof signingKey> = {
  type: "SigningKey",
  needsProject: true,
  inputs: (projectRef) => ({ projectRef, algorithm: "ES256", status: "standby" }),
  changed: (projectRef) => ({ projectRef, algorithm: "ES256", status: "revoked" }),
  onService: ({ emulator }, ref) =>
    emulator.control.call("listSigningKeys", { ref }).keys.filter(({ algorithm }) => algorithm === "ES256"),
  isChanged: (shown) => field(shown, "status") === "revoked",
  editByHand: ({ projects }, ref) =>
    projects.get(ref)?.signingKeys.forEach((key) => {
      if (key.algorithm === "ES256") key.status = "standby";
    }),
  secrets: ["privateJwk"],
  secretInputs: { privateJwk: PRIVATE_JWK },
  objects: {
    ids: ({ emulator }, ref) => emulator.control.call("listSigningKeys", { ref }).keys.map(({ id }) => id),
    show: ({ emulator }, ref, id) =>
      emulator.control.call("listSigningKeys", { ref }).keys.find((key) => key.id === id)?.algorithm,
  },
};

import type { signingKey } from "../../../provider/resources/auth/signing-key/signing-key";
import { PRIVATE_JWK } from "./private-jwk";
import { field, type SampleOf } from "../sample";
import type { Scenario } from "../scenario";

const keysOf = ({ emulator }: Scenario, ref: string) =>
  // The legacy key is of another type.
  emulator.control.call("listSigningKeys", { ref }).keys.filter(({ algorithm }) => algorithm !== "HS256");

export const sample: SampleOf<typeof signingKey> = {
  type: "SigningKey",
  needsProject: true,
  inputs: (projectRef) => ({ projectRef, algorithm: "ES256", status: "standby" }),
  changed: (projectRef) => ({ projectRef, algorithm: "ES256", status: "revoked" }),
  onService: ({ emulator }, ref) =>
    emulator.control.call("listSigningKeys", { ref }).keys.filter(({ algorithm }) => algorithm === "ES256"),
  isChanged: (shown) => field(shown, "status") === "revoked",
  editOutside: ({ projects }, ref) =>
    projects.get(ref)?.signingKeys.forEach((key) => {
      if (key.algorithm === "ES256") key.status = "standby";
    }),
  secrets: ["privateJwk"],
  secretInputs: { privateJwk: PRIVATE_JWK },
  objects: {
    ids: (scenario, ref) => keysOf(scenario, ref).map(({ id }) => id),
    show: (scenario, ref, id) => keysOf(scenario, ref).find((key) => key.id === id)?.algorithm,
  },
};

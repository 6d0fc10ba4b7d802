import type { signingKey } from "../../../provider/resources/auth/signing-key/signing-key";
import { field, type SampleOf } from "../sample";

export const sample: SampleOf<typeof signingKey> = {
  type: "SigningKey",
  needsProject: true,
  inputs: (projectRef) => ({ projectRef, algorithm: "ES256", status: "standby" }),
  changed: (projectRef) => ({ projectRef, algorithm: "ES256", status: "revoked" }),
  onService: ({ emulator }, ref) =>
    emulator.control.call("listSigningKeys", { ref }).keys.filter(({ algorithm }) => algorithm === "ES256"),
  isChanged: (shown) => field(shown, "status") === "revoked",
};

import type { secret } from "../../../provider/resources/functions/secret/secret";
import { field, type SampleOf } from "../sample";

export const sample: SampleOf<typeof secret> = {
  type: "Secret",
  needsProject: true,
  inputs: (projectRef) => ({ projectRef, name: "PAYMENT_TOKEN", value: "first-value" }),
  changed: (projectRef) => ({ projectRef, name: "PAYMENT_TOKEN", value: "second-value" }),
  onService: ({ emulator }, ref) =>
    emulator.control.call("listSecrets", { ref }).filter(({ name }) => name === "PAYMENT_TOKEN"),
  // SHA-256 of "second-value".
  isChanged: (shown) =>
    field(shown, "value") === "e3ae6d0f1fc09e6a11e25aefa4cb66d73da71a6b2ef9b4d989ea2d5a6caf69f1",
};

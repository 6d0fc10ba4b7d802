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
  editOutside: ({ projects }, ref) =>
    void projects.get(ref)?.secrets.set("PAYMENT_TOKEN", { value: "by hand", updatedAt: 0 }),
  secrets: ["value"],
  objects: {
    ids: ({ emulator }, ref) =>
      emulator.control
        .call("listSecrets", { ref })
        .map(({ name }) => name)
        // Those of a SecretSet are none of a Secret.
        .filter((name) => !name.startsWith("SET_")),
    show: ({ emulator }, ref, id) =>
      emulator.control.call("listSecrets", { ref }).find(({ name }) => name === id),
    make: ({ emulator }, ref, count) =>
      emulator.control.call("createSecrets", {
        ref,
        body: [{ name: `OTHERS_${count}`, value: "theirs" }],
      }),
    remove: ({ emulator }, ref, id) => emulator.control.call("deleteSecrets", { ref, body: [id] }),
  },
};

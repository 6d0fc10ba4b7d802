import type { apiKey } from "../../../provider/resources/auth/api-key/api-key";
import { field, type SampleOf } from "../sample";

export const sample: SampleOf<typeof apiKey> = {
  type: "ApiKey",
  needsProject: true,
  inputs: (projectRef) => ({ projectRef, type: "secret", name: "backend", description: "one" }),
  changed: (projectRef) => ({ projectRef, type: "secret", name: "backend", description: "two" }),
  onService: ({ emulator }, ref) =>
    emulator.control.call("listApiKeys", { ref }).filter(({ name }) => name === "backend"),
  isChanged: (shown) => field(shown, "description") === "two",
};

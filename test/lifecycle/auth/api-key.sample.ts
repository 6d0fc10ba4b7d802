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
  editOutside: ({ projects }, ref) =>
    projects.get(ref)?.apiKeys.forEach((key) => void (key.description = "by hand")),
  secrets: ["apiKey"],
  objects: {
    ids: ({ emulator }, ref) =>
      emulator.control
        .call("listApiKeys", { ref })
        .flatMap(({ id, type }) => (type === "legacy" ? [] : (id ?? []))),
    show: ({ emulator }, ref, id) =>
      emulator.control.call("listApiKeys", { ref }).find((key) => key.id === id),
    make: ({ emulator }, ref, count) =>
      emulator.control.call("createApiKey", { ref, body: { type: "secret", name: `others_${count}` } }),
    remove: ({ emulator }, ref, id) => emulator.control.call("deleteApiKey", { ref, id }),
  },
};

import type { Samples } from "../sample";

export const secretSamples = {
  listSecrets: ({ control, ref }) => {
    control.call("createSecrets", { ref, body: [{ name: "TOKEN", value: "one" }] });
    return { ref };
  },
  createSecrets: ({ ref }) => ({
    ref,
    body: [
      { name: "TOKEN", value: "one" },
      { name: "OTHER", value: "two" },
    ],
  }),
  deleteSecrets: ({ control, ref }) => {
    control.call("createSecrets", { ref, body: [{ name: "TOKEN", value: "one" }] });
    return { ref, body: ["TOKEN"] };
  },
} satisfies Partial<Samples>;

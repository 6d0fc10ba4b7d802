import type { Example } from "../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    writable: {
      comment: "The time of the incident: a later one lifts the mode again.",
      resource: "ReadOnlyOverride",
      properties: { projectRef: "${projectRef}", triggers: ["2027-01-31T18:00Z"] },
    },
  },
  outputs: { writableUntil: "${writable.activeUntil}" },
};

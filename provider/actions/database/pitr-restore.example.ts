import type { Example } from "../../define/example";

export const example: Example = {
  declares: {
    beforeTheMistake: {
      comment: "All that was written after that time is lost.",
      resource: "PitrRestore",
      properties: {
        projectRef: "abcdefghijklmnopqrst",
        confirm: "abcdefghijklmnopqrst",
        recoveryTime: "2027-01-31T18:00:00Z",
      },
    },
  },
};

import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    disk: {
      resource: "Disk",
      properties: { projectRef: "${projectRef}", type: "gp3", sizeGb: 64, iops: 4000 },
    },
  },
  outputs: { sizeGb: "${disk.currentSizeGb}" },
};

import type { Samples } from "../sample";

export const diskSamples = {
  getDisk: ({ ref }) => ({ ref }),
  updateDisk: ({ ref }) => ({
    ref,
    body: { attributes: { type: "gp3", size_gb: 20, iops: 4_000, throughput_mibps: 200 } },
  }),
  getDiskUtilization: ({ ref }) => ({ ref }),
  getDiskAutoscale: ({ ref }) => ({ ref }),
} satisfies Partial<Samples>;

import type { storageConfig } from "../../../provider/resources/services/storage-config/storage-config";
import { field, type SampleOf } from "../sample";

export const sample: SampleOf<typeof storageConfig> = {
  type: "StorageConfig",
  needsProject: true,
  inputs: (projectRef) => ({
    projectRef,
    fileSizeLimit: 10_485_760,
    features: { s3Protocol: { enabled: false }, vectorBuckets: { maxBuckets: 20 } },
  }),
  changed: (projectRef) => ({
    projectRef,
    fileSizeLimit: 20_971_520,
    features: {
      s3Protocol: { enabled: false },
      vectorBuckets: { maxBuckets: 30 },
      icebergCatalog: { enabled: true },
    },
    external: { upstreamTarget: "canary" },
  }),
  onService: ({ emulator }, ref) => {
    const config = emulator.control.call("getStorageConfig", { ref });
    return config.fileSizeLimit === 52_428_800 && config.features.vectorBuckets.maxBuckets === 10
      ? []
      : [config];
  },
  isChanged: (shown) => {
    const features = field(shown, "features");
    return (
      field(shown, "fileSizeLimit") === 20_971_520 &&
      field(field(features, "vectorBuckets"), "maxBuckets") === 30 &&
      field(field(features, "s3Protocol"), "enabled") === false
    );
  },
  editOutside: ({ projects }, ref) => {
    const storage = projects.get(ref)?.storage;
    if (storage) storage.features.vectorBuckets.maxBuckets = 7;
  },
};

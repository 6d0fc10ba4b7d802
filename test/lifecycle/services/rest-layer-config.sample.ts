import type { restLayerConfig } from "../../../provider/resources/services/rest-layer-config/rest-layer-config";
import { field, type SampleOf } from "../sample";

export const sample: SampleOf<typeof restLayerConfig> = {
  type: "RestLayerConfig",
  needsProject: true,
  inputs: (projectRef) => ({ projectRef, dbSchema: "public,api", maxRows: 500 }),
  changed: (projectRef) => ({
    projectRef,
    dbSchema: "public,api,reports",
    maxRows: 500,
    dbExtraSearchPath: "extensions",
  }),
  onService: ({ emulator }, ref) => {
    const config = emulator.control.call("getRestLayerConfig", { ref });
    return config.db_schema === "public,graphql_public" ? [] : [config];
  },
  isChanged: (shown) => field(shown, "db_schema") === "public,api,reports",
  editOutside: ({ projects }, ref) => {
    const restLayer = projects.get(ref)?.restLayer;
    if (restLayer) restLayer.maxRows = 7;
  },
  secrets: ["jwtSecret"],
};

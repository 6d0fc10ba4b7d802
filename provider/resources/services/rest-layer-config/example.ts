import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    restLayer: {
      resource: "RestLayerConfig",
      properties: {
        projectRef: "${projectRef}",
        dbSchema: "public,graphql_public,api",
        dbExtraSearchPath: "public, extensions",
        maxRows: 500,
      },
    },
  },
};

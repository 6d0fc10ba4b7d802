import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    backend: {
      comment: "A function for each folder that does not begin with an underscore.",
      resource: "FunctionSet",
      properties: {
        projectRef: "${projectRef}",
        sourceDir: "functions",
        functions: { hello: { verifyJwt: false } },
      },
    },
  },
  outputs: { functions: "${backend.names}" },
};

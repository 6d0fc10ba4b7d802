import { z } from "zod";
import { newRestLayerConfig } from "../../../../spec/new-project";
import { updateRestLayerConfigBody } from "../../../../spec/operations/rest-layer";
import { defineProblem } from "../../../client/errors/problem";
import { comparedBy, secret } from "../../../define/markers";
import { restProblems } from "../../../define/problems";
import { defineSettings } from "../../../settings/settings";
import { startingCalls } from "../../../waiting/starting-calls";

/** The spaces around the names of a list mean nothing; their order does. */
const schemaList = comparedBy(z.string(), (value) =>
  typeof value === "string"
    ? value
        .trim()
        .split(/\s*,\s*/)
        .join(",")
    : value,
);

const problems = {
  // Where a write waits for the service of a project without a schema.
  ...restProblems,
  withoutSchema: defineProblem({
    says: "`dbSchema` of the project {ref} is empty: the REST layer serves nothing, and its service `rest` never becomes healthy. {remedy}.",
    means: "A warning: the REST layer was given no schema, so that its service never becomes healthy.",
    remedy: "Declare at least one schema, unless this switches the REST layer off on purpose",
  }),
};

/** How the REST layer of a project serves its database. */
export const restLayerConfig = defineSettings({
  type: "RestLayerConfig",
  description:
    "Configuration of the REST layer of a project. Only declared settings are managed; all others stay as they are. Deleting the resource restores the previous values.",
  settings: {
    dbSchema: schemaList
      .describe(
        "Schemas that the REST layer serves, separated by commas, such as `public,graphql_public`; the first is the default. An empty value switches it off: its service is never healthy then.",
      )
      .optional(),
    dbExtraSearchPath: schemaList
      .describe(
        "Schemas that are searched in addition but not served, separated by commas, such as `public, extensions`.",
      )
      .optional(),
    maxRows: z
      .int()
      .min(0)
      .max(1_000_000)
      .describe("Maximum number of rows in one answer, from 0 to 1000000.")
      .optional(),
    dbPool: z
      .int()
      .min(0)
      .max(1000)
      .describe(
        "Number of connections to the database, from 0 to 1000. The service chooses it by the compute size until it is set; then it can be changed but not unset.",
      )
      .optional(),
  },
  options: {},
  outputs: {
    jwtSecret: secret(z.string()).describe("The secret with which the REST layer verifies JSON web tokens."),
  },
  wireNames: {},
  body: updateRestLayerConfigBody,
  timeouts: { create: 600, update: 600, delete: 600 },
  problems,
  conditionalCalls: startingCalls("create", "update", "delete"),
  mode: "merge",
  newProject: [newRestLayerConfig],
  services: ["rest"],
  get: async (ctx, ref) => {
    const { jwt_secret: jwtSecret, ...config } = await ctx.api.getRestLayerConfig({ ref });
    return { ...config, jwtSecret };
  },
  put: async (ctx, ref, body) => {
    // The answer lacks the JWT secret (service, REST layer): the next read has it.
    await ctx.api.updateRestLayerConfig({ ref, body });
    return undefined;
  },
  settle: (ctx, ref, { dbSchema }) => {
    if (dbSchema?.trim() === "") ctx.warn(problems.withoutSchema.message({ ref }));
    return Promise.resolve();
  },
});

import { z } from "zod";
import { newRestLayerConfig } from "../../../../spec/new-project";
import { updateRestLayerConfigBody } from "../../../../spec/operations/rest-layer";
import { defineProblem } from "../../../client/errors/problem";
import { openRange } from "../../../define/open-values";
import { comparedBy, secret } from "../../../define/markers";
import { restProblems } from "../../../define/problems";
import { defineSettings } from "../../../settings/settings";

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
    says: "`dbSchema` of the project {ref} is empty, so the REST layer serves nothing and its service `rest` never becomes healthy. {remedy}.",
    means: "Warning. The REST layer has no schema, so its service never becomes healthy.",
    remedy: "Declare at least one schema, unless you want to disable the REST layer",
  }),
};

/** How the REST layer of a project serves its database. */
export const restLayerConfig = defineSettings({
  type: "RestLayerConfig",
  description:
    "The configuration of a project's REST layer. Only the settings you declare are managed; the others are left alone. Deleting the resource restores the earlier values.",
  settings: {
    dbSchema: schemaList
      .describe(
        "Schemas that the REST layer serves, separated by commas, such as `public,graphql_public`. The first is the default schema. An empty value disables the REST layer, and its service never becomes healthy.",
      )
      .optional(),
    dbExtraSearchPath: schemaList
      .describe(
        "Additional schemas in the search path, which are not served, separated by commas, such as `public, extensions`.",
      )
      .optional(),
    maxRows: openRange({ least: 0, most: 1_000_000 })
      .describe("Maximum number of rows in an answer, from 0 to 1000000.")
      .optional(),
    dbPool: openRange({ least: 0, most: 1000 })
      .describe(
        "Number of connections to the database, from 0 to 1000. Once set, it can be changed but not unset. Default: depends on the compute size.",
      )
      .optional(),
  },
  options: {},
  outputs: {
    jwtSecret: secret(z.string()).describe("Secret with which the REST layer verifies JWTs."),
  },
  wireNames: {},
  body: updateRestLayerConfigBody,
  timeouts: { create: 600, update: 600, delete: 600 },
  problems,
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

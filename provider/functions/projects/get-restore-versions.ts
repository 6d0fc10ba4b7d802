import { z } from "zod";
import { defineFunction } from "../../define/function";
import { ofProject } from "../../lookup/missing-errors";
import { pickPresentFields, readInProject } from "../answers";
import { projectRef } from "../../define/shared-arguments";

const inputs = z.strictObject({ projectRef });

const version = z
  .object({
    version: z.string().describe("Version of the Postgres image.").optional(),
    releaseChannel: z.string().describe("Release channel of the image, such as `ga`.").optional(),
    postgresEngine: z.string().describe("Postgres engine of the image, such as `17`.").optional(),
  })
  .describe("A Postgres image with which a project can be restored.");

const outputs = z.object({
  versions: z.array(version).describe("All images with which the project can be restored."),
});

/** With which versions of Postgres a project can be restored. */
export const getRestoreVersions = defineFunction({
  name: "getRestoreVersions",
  description: "Lists the Postgres images with which a paused project can be restored.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref }) {
    const found = await readInProject(ctx, ref, "restore-versions", () =>
      ctx.api.listRestoreVersions({ ref }),
    );
    return {
      versions: found.map(({ version: image, release_channel, postgres_engine }) =>
        pickPresentFields({
          version: image,
          releaseChannel: release_channel,
          postgresEngine: postgres_engine,
        }),
      ),
    };
  },
});

import { z } from "zod";
import { defineFunction } from "../../define/function";
import { ofProject } from "../../lookup/missing-errors";
import { projectRef } from "../../define/shared-arguments";
import { pickPresentFields, readInProject } from "../answers";

const inputs = z.strictObject({ projectRef });

const bucket = z
  .object({
    bucketId: z.string().describe("Identifier of the bucket.").optional(),
    name: z.string().describe("Name of the bucket.").optional(),
    owner: z.string().describe("User that owns the bucket; empty if none does.").optional(),
    public: z.boolean().describe("Whether anybody can read its files.").optional(),
    createdAt: z.string().describe("Creation time, ISO 8601.").optional(),
    updatedAt: z.string().describe("Time of the last change, ISO 8601.").optional(),
  })
  .describe("A storage bucket of a project.");

const outputs = z.object({ buckets: z.array(bucket).describe("All storage buckets of the project.") });

/** The storage buckets of a project. */
export const getBuckets = defineFunction({
  name: "getBuckets",
  description: "Lists the storage buckets of a project.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref }) {
    const found = await readInProject(ctx, ref, "buckets", () => ctx.api.listBuckets({ ref }));
    return {
      buckets: found.map((each) =>
        pickPresentFields({
          bucketId: each.id,
          name: each.name,
          owner: each.owner,
          public: each.public,
          createdAt: each.created_at,
          updatedAt: each.updated_at,
        }),
      ),
    };
  },
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { soundSchema } from "../schema/check-schema";

const manifestSchema = z.object({
  version: z.string(),
  description: z.string(),
  keywords: z.array(z.string()),
  license: z.string().exactOptional(),
  homepage: z.string().exactOptional(),
  repository: z.object({ url: z.string() }).exactOptional(),
  author: z.string().exactOptional(),
});

/** The text of `schema.json`; throws when Pulumi would lose something of the catalog. */
export function schemaText(root: string): string {
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  return JSON.stringify(soundSchema(manifest));
}

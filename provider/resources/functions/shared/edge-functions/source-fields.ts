import { z } from "zod";
import { asSet, formed, local, stays } from "../../../../define/markers";

const path = z.string().min(1);

export const functionSlug = formed(
  z.string().regex(/^[A-Za-z][A-Za-z0-9_-]*$/),
  "a letter, then letters, digits, `_` and `-`",
  "send-mail",
);

/** A deploy sends what the service has, where the program does not say. */
export const verifyJwt = stays(
  z
    .boolean()
    .describe(
      "Whether a call requires a valid JWT; unmanaged if omitted. If the input is taken out, the function stays as it is.",
    ),
  "To require a valid JWT, declare `true`.",
).optional();

/** What of a source is to be found where, besides its folder. */
export const sourceFields = {
  entrypointPath: local(
    path.describe("Path of the entrypoint module, relative to the source; by default `index.ts`."),
  ).optional(),
  importMapPath: local(
    path.describe(
      "Path of the import map, relative to the source; by default the first of `deno.json`, `deno.jsonc` and `import_map.json` that exists beside the entrypoint, then in the source folder. Without one, the `import_map.json` in the folder around it counts, and a `deno.json` there if it names what a module imports.",
    ),
  ).optional(),
  staticPatterns: asSet(
    local(
      z
        .array(path)
        .describe(
          "Files that the function reads at run time, relative to the source: paths, or patterns with `*`, `?`, `[…]` and `**`. Either may begin with `../`, as `../_shared/templates/*.html`, and stays within the repository. A path is sent whatever it is; a pattern must match a file, and matches no dot file, no known secret file and nothing that an ignore file excludes.",
        ),
    ),
  ).optional(),
};

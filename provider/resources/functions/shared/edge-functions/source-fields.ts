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
      "Whether a call requires a valid JWT. If you omit or remove the input, the function's setting is left alone.",
    ),
  "To require a valid JWT, declare `true`.",
).optional();

/** What of a source is to be found where, besides its folder. */
export const sourceFields = {
  entrypointPath: local(
    path.describe("Path of the entrypoint module, relative to the source. Default: `index.ts`."),
  ).optional(),
  importMapPath: local(
    path.describe(
      "Path of the import map, relative to the source. Default: the first of `deno.json`, `deno.jsonc` and `import_map.json` beside the entrypoint, then in the source folder. If there is none, `import_map.json` in the parent folder is used, or a `deno.json` there if it has a name that a module imports.",
    ),
  ).optional(),
  staticPatterns: asSet(
    local(
      z
        .array(path)
        .describe(
          "Files to upload beside the modules, relative to the source: paths, or patterns with `*`, `?`, `[…]` and `**`. They may begin with `../`, as in `../_shared/templates/*.html`, but must stay within the repository. Files listed by path are always uploaded. A pattern must match at least one file; it skips dot files, known secret files and ignored files. The service does not give them to a function that is deployed by the API: reading them fails at run time.",
        ),
    ),
  ).optional(),
  allowUnparsed: asSet(
    local(
      z
        .array(path)
        .describe(
          "Modules to deploy although they cannot be parsed, relative to the source: for syntax that is newer than this provider. Imports of such a module are not followed.",
        ),
    ),
  ).optional(),
};

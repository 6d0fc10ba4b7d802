import { z } from "zod";
import type { Api } from "../../define/context";
import { defineFunction } from "../../define/function";
import { ofProject, explainMissingProject } from "../../lookup/missing-errors";
import { projectRef } from "../../define/shared-arguments";
import { pickPresentFields, shareInFlight } from "../answers";

const inputs = z.strictObject({
  projectRef,
  databaseOnly: z
    .boolean()
    .describe("Whether to omit findings about the project's configuration. Default: `false`.")
    .optional(),
});

const metadata = z
  .object({
    schema: z.string().describe("Schema of the object.").optional(),
    name: z.string().describe("Name of the object.").optional(),
    entity: z.string().describe("The object, if it is not a database object.").optional(),
    type: z.string().describe("`table`, `view`, `auth`, `function`, `extension` or `compliance`.").optional(),
    fkeyName: z.string().describe("Name of the foreign key.").optional(),
    fkeyColumns: z
      .array(z.number())
      .describe("Numbers of the foreign key's columns in their table.")
      .optional(),
  })
  .meta({ id: "AdvisorLintMetadata", description: "The object that a finding is about." });

const lint = z
  .object({
    name: z.string().describe("Kind of the finding, such as `rls_disabled_in_public`.").optional(),
    title: z.string().describe("Display name of the finding's kind.").optional(),
    level: z.string().describe("`ERROR`, `WARN` or `INFO`.").optional(),
    facing: z.string().describe("`EXTERNAL`.").optional(),
    categories: z.array(z.string()).describe("`PERFORMANCE`, `SECURITY` or both.").optional(),
    description: z.string().describe("Explanation of the finding's kind.").optional(),
    detail: z.string().describe("Description of the finding.").optional(),
    remediation: z.string().describe("How to fix it.").optional(),
    metadata: metadata.describe("The object that the finding is about.").optional(),
    cacheKey: z.string().describe("Unique key of the finding.").optional(),
  })
  .meta({ id: "AdvisorLint", description: "A finding of the advisors." });

const outputs = z.object({
  performance: z.array(lint).describe("Findings on performance.").optional(),
  security: z.array(lint).describe("Findings on security.").optional(),
});

type WireLint = NonNullable<Awaited<ReturnType<Api["getSecurityAdvisors"]>>["lints"]>[number];

function toLint(found: WireLint): z.output<typeof lint> {
  const { metadata: about, cache_key: cacheKey, ...others } = found;
  const { name, title, level, facing, categories, description, detail, remediation } = others;
  return pickPresentFields({
    ...{ name, title, level, facing, categories, description, detail, remediation, cacheKey },
    metadata:
      about == null
        ? undefined
        : pickPresentFields({
            schema: about.schema,
            name: about.name,
            entity: about.entity,
            type: about.type,
            fkeyName: about.fkey_name,
            fkeyColumns: about.fkey_columns,
          }),
  });
}

/** What the service advises to mend. */
export const getAdvisors = defineFunction({
  name: "getAdvisors",
  description: "Reads the findings of the performance and security advisors for a project.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref, databaseOnly = false }) {
    const query = { ref, ...(databaseOnly && { lint_type: "sql" as const }) };
    const both = Promise.all([
      shareInFlight(ctx, `performance-advisors:${ref}`, () => ctx.api.getPerformanceAdvisors({ ref })),
      shareInFlight(ctx, `security-advisors:${JSON.stringify(query)}`, () =>
        ctx.api.getSecurityAdvisors(query),
      ),
    ]);
    const [performance, security] = await explainMissingProject(ref, both);
    return pickPresentFields({
      performance: performance.lints?.map(toLint),
      security: security.lints?.map(toLint),
    });
  },
});

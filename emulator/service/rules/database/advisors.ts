import type { Operations } from "../../../../spec/table";
import type { AsyncHandler } from "../shared/handler";
import { runLints, type LintResult, type SqlLint } from "../../../postgres/lints/lint";
import { performanceLints } from "../../../postgres/lints/performance-lints";
import { securityLints } from "../../../postgres/lints/security-lints";
import { schemasIn } from "../../../postgres/databases/schemas";
import type { World } from "../../world/world";
import { projectAt } from "../shared/project-at";
import { lintConfiguration, type Lint } from "./configuration-lints";
import { inProjectDatabase } from "../shared/database/project-database";

const getPerformanceAdvisors: AsyncHandler<Operations["getPerformanceAdvisors"]> = async ({
  params,
  world,
}) => ({ lints: await lintDatabase(world, params.ref, performanceLints, "PERFORMANCE") });

/**
 * What the database itself shows and, where that is wanted, what the configuration does; a new project has no lints
 * (service, Advisors).
 */
const getSecurityAdvisors: AsyncHandler<Operations["getSecurityAdvisors"]> = async ({
  params,
  query,
  world,
}) => {
  const lints = await lintDatabase(world, params.ref, securityLints, "SECURITY");
  if (query.lint_type === "sql" || !world.state.configurationLinted) return { lints };
  return { lints: [...lints, ...lintConfiguration(projectAt(world, params.ref))] };
};

function lintDatabase(
  world: World,
  ref: string,
  lints: readonly SqlLint<Lint["name"]>[],
  category: Lint["categories"][number],
): Promise<Lint[]> {
  const { dbSchema } = projectAt(world, ref).restLayer;
  const exposed = schemasIn(dbSchema);
  return inProjectDatabase(world, ref, async (database) =>
    (await runLints(database, lints, exposed)).map((found) => viewFound(found, category)),
  );
}

function viewFound(
  { lint, finding }: LintResult<SqlLint<Lint["name"]>>,
  category: Lint["categories"][number],
): Lint {
  const { schema, name, type, detail, part, fkey_name, fkey_columns } = finding;
  return {
    name: lint.name,
    title: lint.title,
    level: lint.level,
    facing: "EXTERNAL",
    categories: [category],
    description: lint.description,
    detail,
    remediation: lint.remediation,
    metadata: {
      schema,
      name,
      type,
      ...(fkey_name !== undefined && { fkey_name }),
      ...(fkey_columns !== undefined && { fkey_columns: [...fkey_columns] }),
    },
    // The same finding has the same key on every call, so that users can dismiss it.
    cache_key: [lint.name, schema, name, part].filter((word) => word !== undefined).join("_"),
  };
}

export const advisorHandlers = { getPerformanceAdvisors, getSecurityAdvisors };

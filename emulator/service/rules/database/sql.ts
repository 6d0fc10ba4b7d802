import type { Operations } from "../../../../spec/table";
import type { CallSource } from "../../access/caller";
import type { AsyncHandler } from "../shared/handler";
import type { Database } from "../../../postgres/databases/databases";
import { dataApiDocument } from "../../../postgres/types/data-api-document";
import type { RunningStatement } from "../../world/running-statements";
import { listSchemas, schemasIn } from "../../../postgres/databases/schemas";
import { readTypeCatalog } from "../../../postgres/types/read-catalog";
import { writeTypes } from "../../../postgres/types/write-types";
import { inProjectDatabase } from "../shared/database/project-database";
import { looksAtSessions, withSessions } from "./session-views";
import { Refusal } from "../../answers/refusal";
import { SERVICE_DOMAIN } from "../shared/hosting";

const runQuery: AsyncHandler<Operations["runQuery"]> = async ({ params, body, world, caller }) => {
  const { query: sql, parameters, read_only: readOnly = false } = body;
  await world.statements.turn(params.ref, sql);
  const others = world.statements.list(params.ref);
  return inProjectDatabase(
    world,
    params.ref,
    async (database) => {
      if (readOnly || mayOnlyRead(caller)) await becomeReadOnly(database);
      return lastRows(database, sql, { parameters, others });
    },
    sql,
  );
};

/** A token may run queries by either permission (service, SQL): the lesser one lets it read. */
function mayOnlyRead({ permissions }: CallSource): boolean {
  return permissions !== undefined && !permissions.includes("database_write");
}

/** As a role that only reads, with every name qualified (service, SQL). */
const runReadOnlyQuery: AsyncHandler<Operations["runReadOnlyQuery"]> = ({ params, body, world }) => {
  const { query: sql, parameters } = body;
  const others = world.statements.list(params.ref);
  return inProjectDatabase(
    world,
    params.ref,
    async (database) => {
      await becomeReadOnly(database);
      await database.exec("set search_path = ''");
      return lastRows(database, sql, { parameters, others });
    },
    sql,
  );
};

/**
 * Turns the session into one of the role that only reads. Whoever sets role and session back by SQL of his own gets out
 * of it, as there are no real logins here.
 */
async function becomeReadOnly(database: Database): Promise<void> {
  await database.logInAs(database.names("roles", "svc_read_only_user"));
  await database.exec("set default_transaction_read_only = on");
}

interface SqlRequest {
  readonly parameters: readonly unknown[] | undefined;
  /** What other calls run meanwhile. */
  readonly others: readonly RunningStatement[];
}

/** The rows of the last statement that gives rows. */
async function lastRows(
  database: Database,
  sql: string,
  { parameters = [], others }: SqlRequest,
): Promise<Record<string, unknown>[]> {
  if (others.length > 0 && looksAtSessions(sql))
    return withSessions(database, others, () => lastRows(database, sql, { parameters, others: [] }));
  // Only a single statement can be given parameters: Postgres itself refuses several.
  if (parameters.length > 0) return (await database.query(sql, parameters)).rows;
  const results = await database.exec(sql);
  return results.findLast(({ fields }) => fields.length > 0)?.rows ?? [];
}

const getTypescriptTypes: AsyncHandler<Operations["getTypescriptTypes"]> = ({ params, query, world }) => {
  const schemas = schemasIn(query.included_schemas ?? "public");
  if (schemas.length === 0) throw new Refusal(400, "included_schemas: it names no schema");
  return inProjectDatabase(world, params.ref, async (database) => {
    const present = await listSchemas(database);
    const missing = schemas.filter((name) => !present.includes(name));
    if (missing.length > 0) throw new Refusal(400, `There is no schema called ${missing.join(", ")}`);
    return { types: writeTypes(await readTypeCatalog(database, schemas), schemas) };
  });
};

const getDatabaseContext: AsyncHandler<Operations["getDatabaseContext"]> = ({ params, world }) =>
  inProjectDatabase(world, params.ref, async (database) => {
    const schemas = await listSchemas(database);
    return { databases: [{ name: "postgres", schemas: schemas.map((name) => ({ name })) }] };
  });

const getDatabaseOpenapi: AsyncHandler<Operations["getDatabaseOpenapi"]> = ({ params, query, world }) => {
  const schema = query.schema ?? "public";
  return inProjectDatabase(world, params.ref, async (database) => {
    if (!(await listSchemas(database)).includes(schema)) {
      throw new Refusal(400, `There is no schema called ${schema}`);
    }
    const catalog = await readTypeCatalog(database, [schema]);
    return dataApiDocument(catalog, schema, `${params.ref}.${SERVICE_DOMAIN}`);
  });
};

export const sqlHandlers = {
  runQuery,
  runReadOnlyQuery,
  getTypescriptTypes,
  getDatabaseContext,
  getDatabaseOpenapi,
};

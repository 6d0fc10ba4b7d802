import type { Operations, OperationName } from "../../spec/table";
import type { Parameters } from "../../spec/operation";
import { operator } from "../access/caller";
import { Refusal, type AsyncOperationName } from "../handler";
import type { Called } from "../control/control";
import { inProjectDatabase } from "../rules/database/project-database";
import { execute } from "../server/execute";
import type { Service } from "../server/service";
import { validateParameters } from "../server/validate";
import { applyAndRecord, nextVersion, readHistory } from "../sql-migrations/history";
import { splitStatements, withinOneTransaction } from "../sql-migrations/split-statements";
import type { Database } from "../sql/databases";
import type { Clock } from "../world/clock";
import type { World } from "../world/world";
import { SeedError } from "./read-seed-file";
import type { ProjectSeed, Rows } from "./seed-schema";

/** Longer than anything takes to settle, at pace 1. */
const LONG_AGO_MS = 3_600_000;

/**
 * Makes the projects of a seed under the rules of the API, as if it had been hours ago: all has settled. Those whose
 * organization has one of the same name are there already. What reaches a database is begun, and ends with the promise.
 */
export async function plantProjects(service: Service, projects: readonly ProjectSeed[]): Promise<void> {
  const work = projects.flatMap((project) => {
    const isThere = [...service.world.state.projects.values()].some(
      ({ name, organizationSlug, branchId }) =>
        name === project.name && organizationSlug === project.organization && branchId === null,
    );
    return isThere ? [] : new Planting(service, project).plant();
  });
  await Promise.all(work);
}

type SyncOperationName = Exclude<OperationName, AsyncOperationName>;

class Planting {
  private readonly service: Service;
  private readonly work: Promise<void>[] = [];
  private agoMs: number;
  private nextRef: string | undefined;

  constructor(
    service: Service,
    private readonly seed: ProjectSeed,
  ) {
    const { world } = service;
    this.agoMs = 2 * LONG_AGO_MS * Math.max(1, world.pace);
    const clock: Clock = { now: () => world.clock.now() - this.agoMs };
    const newRef = (): string => {
      const ref = this.nextRef ?? world.newRef();
      this.nextRef = undefined;
      return ref;
    };
    // All else is that of the world itself, also what it replaces later.
    const past = Object.create(world, { clock: { value: clock }, newRef: { value: newRef } }) as World;
    this.service = Object.create(service, { world: { value: past } }) as Service;
  }

  plant(): Promise<void>[] {
    const { seed } = this;
    const { ref } = this.of(`project "${seed.name}"`, () => {
      this.fixRef(seed.ref);
      return this.call("createProject", {
        body: {
          name: seed.name,
          organization_slug: seed.organization,
          db_pass: seed.dbPass,
          ...(seed.region !== undefined && {
            region_selection: { type: "specific" as const, code: seed.region },
          }),
          ...(seed.instanceSize !== undefined && { desired_instance_size: seed.instanceSize }),
          ...(seed.postgresEngine !== undefined && { postgres_engine: seed.postgresEngine }),
        },
      });
    });
    this.agoMs /= 2;
    this.addSecrets(ref, seed.secrets, `project "${seed.name}"`);
    for (const key of seed.apiKeys ?? []) {
      this.of(`API key "${key.name}" of project "${seed.name}"`, () =>
        this.call("createApiKey", { ref, body: key }),
      );
    }
    for (const migration of seed.migrations ?? []) this.migrate(ref, migration);
    this.insert(ref, seed.rows, `project "${seed.name}"`);
    // A branch's database begins as that of the project is after what was asked of it so far.
    const branches = (seed.branches ?? []).map((branch) => {
      const what = `branch "${branch.name}" of project "${seed.name}"`;
      const made = this.of(what, () => {
        this.fixRef(branch.ref);
        return this.call("createBranch", {
          ref,
          body: {
            branch_name: branch.name,
            ...(branch.gitBranch !== undefined && { git_branch: branch.gitBranch }),
            ...(branch.persistent !== undefined && { persistent: branch.persistent }),
            ...(branch.withData !== undefined && { with_data: branch.withData }),
          },
        });
      });
      return { branch, what, ref: made.project_ref };
    });
    this.agoMs = 0;
    for (const { branch, what, ref: its } of branches) {
      this.addSecrets(its, branch.secrets, what);
      this.insert(its, branch.rows, what);
    }
    return this.work;
  }

  private addSecrets(ref: string, secrets: Readonly<Record<string, string>> = {}, what: string): void {
    const body = Object.entries(secrets).map(([name, value]) => ({ name, value }));
    if (body.length > 0) this.of(`secrets of ${what}`, () => this.call("createSecrets", { ref, body }));
  }

  private migrate(ref: string, { version, name, sql }: NonNullable<ProjectSeed["migrations"]>[number]): void {
    const what = `migration "${name ?? version ?? ""}" of project "${this.seed.name}"`;
    const script = withinOneTransaction(sql);
    if (script === undefined) {
      throw new SeedError(`The ${what} in the seed cannot begin or end a transaction of its own`);
    }
    const now = this.service.world.clock.now();
    this.inDatabase(ref, what, async (database) => {
      const migration = {
        version: version ?? nextVersion(now, await readHistory(database)),
        name: name ?? null,
        statements: splitStatements(sql),
        rollback: [],
        createdBy: null,
        idempotencyKey: null,
      };
      await database.transaction(() => applyAndRecord(database, migration, script));
    });
  }

  /** Columns that a row leaves out have their defaults. */
  private insert(ref: string, tables: Rows = {}, what: string): void {
    for (const [table, rows] of Object.entries(tables)) {
      if (rows.length === 0) continue;
      const name = table.split(".").map(quoted).join(".");
      this.inDatabase(ref, `rows of "${table}" of ${what}`, (database) =>
        database.transaction(async () => {
          for (const row of rows) {
            const columns = Object.keys(row).map(quoted).join(", ");
            const sql =
              columns === ""
                ? `insert into ${name} default values`
                : `insert into ${name} (${columns}) select ${columns} from json_populate_record(null::${name}, $1)`;
            await database.query(sql, columns === "" ? [] : [JSON.stringify(row)]);
          }
        }),
      );
    }
  }

  private inDatabase(ref: string, what: string, run: (database: Database) => Promise<void>): void {
    const done = inProjectDatabase(this.service.world, ref, run).catch((error: unknown) => {
      throw seedError(what, error);
    });
    // Nobody waits for it where something else of the seed fails first.
    done.catch(() => undefined);
    this.work.push(done);
  }

  private fixRef(ref: string | undefined): void {
    if (ref !== undefined && this.service.world.state.projects.has(ref)) {
      throw new Refusal(409, `another one has the ref ${ref}`);
    }
    this.nextRef = ref;
  }

  private of<T>(what: string, make: () => T): T {
    try {
      return make();
    } catch (error) {
      throw seedError(what, error);
    }
  }

  private call<N extends SyncOperationName>(name: N, parameters: Parameters<Operations[N]>): Called<N> {
    const operation = this.service.operations[name];
    if (operation === undefined) throw new Error(`No operation is called ${name}`);
    const input = validateParameters(operation, parameters as Readonly<Record<string, unknown>>);
    // The handler of this very name answers, with the type that the table gives it.
    return execute(this.service, { name, operation }, input, operator) as Called<N>;
  }
}

function seedError(what: string, error: unknown): Error {
  if (error instanceof Refusal)
    return new SeedError(`The ${what} in the seed cannot be made: ${error.message}`);
  return error instanceof Error ? error : new Error(String(error));
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

import type { Operations, OperationName } from "../../../spec/table";
import type { OperationParameters } from "../../../spec/operation";
import { operator } from "../../service/access/caller";
import type { AsyncOperationName, Called } from "../../service/rules/shared/handler";
import { inProjectDatabase } from "../../service/rules/shared/database/project-database";
import { execute } from "../../service/server/execute";
import type { Service } from "../../service/server/service";
import { validateParameters } from "../../service/server/validate";
import { applyAndRecord, nextVersion, readHistory } from "../../postgres/migrations/history";
import { splitStatements, withinOneTransaction } from "../../postgres/sql/split-statements";
import type { Database } from "../../postgres/databases/databases";
import type { Clock } from "../../service/world/clock";
import type { World } from "../../service/world/world";
import { SeedError } from "./read-seed-file";
import type { ProjectSeed, SeedRows } from "./seed-schema";
import { Refusal } from "../../service/answers/refusal";

/** Longer than anything takes to settle, at pace 1. */
const LONG_AGO_MS = 3_600_000;

/**
 * Makes the projects of a seed under the rules of the API, as if it had been hours ago: all has settled. Those whose
 * organization has one of the same name are there already. What reaches a database is begun, and ends with the promise.
 */
export async function plantProjects(service: Service, projects: readonly ProjectSeed[]): Promise<void> {
  const work = projects.flatMap((project, index) => {
    const isThere = [...service.world.state.projects.values()].some(
      ({ name, organizationSlug, branchId }) =>
        name === project.name && organizationSlug === project.organization && branchId === null,
    );
    return isThere ? [] : new Planting(service, project, `projects.${index}`).plant();
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
    /** Where the project is in the seed, as in `projects.0`. */
    private readonly place: string,
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
    const whole = { what: `project "${seed.name}"`, place: this.place };
    const { ref } = this.of(whole, () => {
      this.fixRef(seed.ref);
      const { organizations } = this.service.world.state;
      if (!organizations.has(seed.organization)) {
        const known = [...organizations.keys()].map((slug) => `"${slug}"`).join(", ");
        throw new Refusal(
          404,
          `no organization has the slug "${seed.organization}"; those that exist: ${known || "none"}`,
        );
      }
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
    this.addSecrets(ref, seed.secrets, whole);
    for (const [index, key] of (seed.apiKeys ?? []).entries()) {
      this.of(within(whole, `API key "${key.name}"`, `apiKeys.${index}`), () =>
        this.call("createApiKey", { ref, body: key }),
      );
    }
    this.setSettings(ref, seed.settings, whole);
    for (const [index, one] of (seed.functions ?? []).entries()) {
      this.deploy(ref, one, within(whole, `function "${one.slug}"`, `functions.${index}`));
    }
    for (const [index, migration] of (seed.migrations ?? []).entries()) {
      const what = `migration "${migration.name ?? migration.version ?? ""}"`;
      this.migrate(ref, migration, within(whole, what, `migrations.${index}`));
    }
    this.insert(ref, seed.rows, whole);
    // A branch's database begins as that of the project is after what was asked of it so far.
    const branches = (seed.branches ?? []).map((branch, index) => {
      const what = within(whole, `branch "${branch.name}"`, `branches.${index}`);
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

  private addSecrets(ref: string, secrets: Readonly<Record<string, string>> = {}, of: SeedPart): void {
    const body = Object.entries(secrets).map(([name, value]) => ({ name, value }));
    if (body.length > 0)
      this.of(within(of, "secrets", "secrets"), () => this.call("createSecrets", { ref, body }));
  }

  private setSettings(ref: string, settings: ProjectSeed["settings"] = {}, of: SeedPart): void {
    const { auth, postgres, realtime, rest, storage } = settings;
    const set = (name: string, write: () => unknown): void => {
      this.of(within(of, `settings of "${name}"`, `settings.${name}`), write);
    };
    if (auth) set("auth", () => this.call("updateAuthConfig", { ref, body: auth }));
    if (postgres) set("postgres", () => this.call("updatePostgresConfig", { ref, body: postgres }));
    if (realtime) set("realtime", () => this.call("updateRealtimeConfig", { ref, body: realtime }));
    if (rest) set("rest", () => this.call("updateRestLayerConfig", { ref, body: rest }));
    if (storage) set("storage", () => this.call("updateStorageConfig", { ref, body: storage }));
  }

  private deploy(ref: string, seed: NonNullable<ProjectSeed["functions"]>[number], part: SeedPart): void {
    const { slug, files, entrypoint = "index.ts", importMap, verifyJwt } = seed;
    this.of(part, () =>
      this.call("deployFunction", {
        ref,
        slug,
        body: {
          file: Object.entries(files).map(([name, text]) => ({
            name,
            content: new TextEncoder().encode(text),
          })),
          metadata: {
            name: slug,
            entrypoint_path: entrypoint,
            ...(importMap !== undefined && { import_map_path: importMap }),
            ...(verifyJwt !== undefined && { verify_jwt: verifyJwt }),
          },
        },
      }),
    );
  }

  private migrate(
    ref: string,
    { version, name, sql }: NonNullable<ProjectSeed["migrations"]>[number],
    part: SeedPart,
  ): void {
    const script = withinOneTransaction(sql);
    if (script === undefined) {
      throw seedError(part, new Refusal(400, "it cannot begin or end a transaction of its own"));
    }
    const now = this.service.world.clock.now();
    this.inDatabase(ref, part, async (database) => {
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
  private insert(ref: string, tables: SeedRows = {}, of: SeedPart): void {
    for (const [table, rows] of Object.entries(tables)) {
      if (rows.length === 0) continue;
      const name = table.split(".").map(quoted).join(".");
      this.inDatabase(ref, within(of, `rows of "${table}"`, `rows.${table}`), (database) =>
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

  private inDatabase(ref: string, part: SeedPart, run: (database: Database) => Promise<void>): void {
    const done = inProjectDatabase(this.service.world, ref, run).catch((error: unknown) => {
      throw seedError(part, error);
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

  private of<T>(part: SeedPart, make: () => T): T {
    try {
      return make();
    } catch (error) {
      throw seedError(part, error);
    }
  }

  private call<N extends SyncOperationName>(
    name: N,
    parameters: OperationParameters<Operations[N]>,
  ): Called<N> {
    const operation = this.service.operations[name];
    if (operation === undefined) throw new Error(`No operation is called ${name}`);
    const input = validateParameters(operation, parameters as Readonly<Record<string, unknown>>);
    // The handler of this very name answers, with the type that the table gives it.
    return execute(this.service, { name, operation }, input, operator) as Called<N>;
  }
}

/** A part of a seed: what a user calls it, and its place as in the file, such as `projects.0.migrations.1`. */
interface SeedPart {
  readonly what: string;
  readonly place: string;
}

function within(whole: SeedPart, what: string, place: string): SeedPart {
  return { what: `${what} of ${whole.what}`, place: `${whole.place}.${place}` };
}

/** Whatever went wrong: also what is no refusal, as of a database that does not start, says at which part. */
function seedError({ what, place }: SeedPart, error: unknown): SeedError {
  const reason = error instanceof Error ? error.message : String(error);
  return new SeedError(`${place}: The ${what} in the seed cannot be made: ${reason}`, { cause: error });
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

import type { Names } from "../spec/names/names";
import { loadNames } from "../spec/names/load-names";
import { operations } from "../spec/table";
import { CallLog } from "./world/call-log";
import { MovableClock } from "./world/clock";
import { createControl } from "./control/create-control";
import { createControlApp } from "./control/http";
import { savingControl } from "./control/saving-control";
import { createWorld } from "./world/create-world";
import type { Emulator, EmulatorClock, EmulatorOptions } from "./emulator";
import { Faults } from "./world/faults";
import { ephemeralStore } from "./persistence/state-store";
import { PostgresPort } from "./postgres-port/postgres-port";
import { createPageApp } from "./page/page-app";
import type { DataFolder } from "./persistence/data-folder";
import { ruleHandlers } from "./rules";
import { withNewerBodies, withoutNewerBodies } from "./rules/newer/with-newer-fields";
import { refusalFor } from "./server/execute";
import type { ProjectSeed } from "./seeding/seed-schema";
import { addMissing, type EmulatorSeed, fixSeed } from "./world/seed";
import { createApp } from "./server/app";
import { listen } from "./server/listen";
import { createProjectHost } from "./project-host/project-host";
import { RateLimits } from "./server/rate-limits";
import type { Service } from "./server/service";
import { Wire } from "./server/wire";
import { createDatabases } from "./sql/create-databases";
import { createState } from "./world/create-state";
import type { State } from "./world/state";

/** Another table and other handlers than the API's; the tests of the generic stages bring their own. */
export type Served = Pick<Service, "operations" | "handlers">;

/** Starts the API on this machine. */
export function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  return startServing(options);
}

/** Starts the generic stages around a table and handlers, the API's own when `served` is absent. */
export async function startServing(options: EmulatorOptions, served?: Served): Promise<Emulator> {
  const names = loadNames(options.names);
  if (options.dataFolder === undefined) return serve(options, names, served);
  const folder = openDataFolder(options.dataFolder);
  try {
    return await serve(options, names, served, folder);
  } catch (error) {
    folder.close();
    throw error;
  }
}

async function serve(
  options: EmulatorOptions,
  names: Names,
  served: Served | undefined,
  folder?: DataFolder,
): Promise<Emulator> {
  const { restored } = folder ?? {};
  const clock = options.clock ?? new MovableClock();
  if (restored !== undefined) catchUp(clock, restored.clockOffsetMs);
  const { newer, microIsAddon } = options;
  const wanted = {
    ...(options.seedFile === undefined ? {} : readSeed(options.seedFile)),
    ...options.seed,
    ...(newer !== undefined && { newer }),
    ...(microIsAddon !== undefined && { microIsAddon }),
  };
  const seed = fixSeed(wanted, restored?.seed);
  const log = new CallLog(options.callLogSize);
  if (folder !== undefined) log.restore(folder.restoredCalls, restored?.callsAreIncomplete ?? false);
  const databases = createDatabases({
    names: (section, placeholder) => names.inDatabase(section, placeholder),
    ...(options.dataFolder !== undefined && { dataFolder: options.dataFolder }),
  });
  const port = options.postgresPort === undefined ? undefined : new PostgresPort();
  await port?.listen({
    port: options.postgresPort ?? 0,
    host: options.host,
    shownHost: options.allowedHosts?.[0],
    folder: options.dataFolder,
  });
  const pace = options.pace ?? restored?.pace ?? 1;
  const newState = (): State => folder?.tracked(createState(seed)) ?? createState(seed);
  const owned = createWorld(
    { clock, pace, newState, calls: log, databases, addresses: port, issued: names.issued },
    restored,
  );
  port?.serve(owned.world);
  const abandon = async (error: unknown): Promise<never> => {
    await port?.close();
    await databases.close();
    throw error;
  };
  if (restored !== undefined) {
    folder?.addNewFields(owned.world);
    addMissing(owned.world.state, wanted, seed);
  }
  const store = folder?.storeOf({ ...owned, seed, clock, log }) ?? ephemeralStore;
  store.save();

  const wire = new Wire(names);
  const table = served?.operations ?? operations;
  const tables: { newer?: typeof table; older?: typeof table } = {};
  const service: Service = {
    get operations() {
      return owned.world.state.newer
        ? (tables.newer ??= withNewerBodies(table))
        : (tables.older ??= withoutNewerBodies(table));
    },
    handlers: served?.handlers ?? ruleHandlers,
    world: owned.world,
    wire,
    faults: new Faults(),
    limits: new RateLimits(clock, options.limits),
    log,
    store,
    internalErrors: [],
    validateAnswers: options.validateAnswers ?? true,
    gatewayNoise: options.gatewayNoise,
  };
  if (wanted.projects !== undefined) await plant(service, wanted.projects).catch(abandon);
  const resetProjects = (): void => {
    const { projects = [] } = seed;
    if (projects.length === 0) return;
    // It went well at the start.
    plant(service, projects).catch((error: unknown) => refusalFor(service, "reset", error));
  };
  const unsaved = createControl({ service, owned, clock, resetProjects });
  const control = folder === undefined ? unsaved : savingControl(unsaved, store);
  const app = createApp(service);
  app.route("/", createPageApp());
  app.route("/_project", createProjectHost(owned.world));
  app.route("/_control", createControlApp(control, clock, wire, options.controlToken));
  const { url, close: stopListening } = await listen(app, clock, options).catch(abandon);
  const close = async (): Promise<void> => {
    await stopListening();
    await port?.close();
    await databases.close();
    try {
      store.markAllDirty();
      store.save();
    } finally {
      folder?.close();
    }
  };
  return { url, accessToken: seed.tokens[0].token, world: owned.world, control, close };
}

/** Loaded with the first file, as below. */
function readSeed(file: string): EmulatorSeed {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it at every start
  const loaded = require("./seeding/read-seed-file") as typeof import("./seeding/read-seed-file");
  return loaded.readSeedFile(file);
}

/** At once, but for what reaches a database. */
function plant(service: Service, projects: readonly ProjectSeed[]): Promise<void> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it at every start
  const loaded = require("./seeding/plant-seed") as typeof import("./seeding/plant-seed");
  return loaded.plantProjects(service, projects);
}

/** Time that was skipped stays skipped. */
function catchUp(clock: EmulatorClock, offsetMs: number): void {
  const missingMs = offsetMs - (clock.offsetMs ?? 0);
  if (missingMs > 0) clock.advance?.(missingMs);
}

/** Loaded with the first data folder: most emulators keep nothing. */
function openDataFolder(path: string): DataFolder {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it at every start
  const loaded = require("./persistence/data-folder") as typeof import("./persistence/data-folder");
  return loaded.DataFolder.open(path);
}

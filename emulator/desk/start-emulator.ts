import type { Names } from "../../spec/names/names";
import { loadNames } from "../../spec/names/load-names";
import { operations } from "../../spec/table";
import { CallLog } from "../service/world/call-log";
import { MovableClock, type EmulatorClock } from "../service/world/clock";
import { createControl } from "./control/create-control";
import { createControlApp } from "./control/http";
import { savingControl } from "./control/saving-control";
import { createWorld } from "../service/world/create-world";
import type { Emulator, EmulatorOptions } from "./emulator";
import { Exchanges } from "../service/server/exchanges";
import { Faults } from "../service/server/faults";
import { ephemeralStore } from "../service/world/state-store";
import { PostgresPort } from "./postgres-port/postgres-port";
import { createPageApp } from "./page/page-app";
import type { DataFolder } from "./worlds/data-folder";
import type { DurableParts, RestoredParts } from "./worlds/stored-records";
import type { WorldFile } from "./worlds/world-file";
import { ruleHandlers } from "../service/rules";
import { withNewerBodies, withoutNewerBodies } from "../service/rules/newer/with-newer-fields";
import { refusalFor } from "../service/server/execute";
import type { ProjectSeed } from "./seeding/seed-schema";
import { addMissing, type EmulatorSeed, fixSeed } from "./seeding/seed";
import { createApp } from "../service/server/app";
import { CallsUnderWay } from "../service/server/calls-under-way";
import { OverlappingWrites } from "../service/server/overlapping-writes";
import { listen } from "../service/server/listen";
import { createProjectHost } from "../service/project-host/project-host";
import { RateLimits } from "../service/server/rate-limits";
import type { Service } from "../service/server/service";
import { ServerWire } from "../service/server/wire";
import { createDatabases } from "../postgres/databases/create-databases";
import type { Databases } from "../postgres/databases/databases";
import { createState } from "../service/create-state";
import type { WorldState } from "../service/world/state";

/** Another table and other handlers than the API's; the tests of the generic stages bring their own. */
export type Served = Pick<Service, "operations" | "handlers">;

/** Starts the API on this machine. */
export function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  return startServing(options);
}

/** Starts the generic stages around a table and handlers, the API's own when `served` is absent. */
export async function startServing(options: EmulatorOptions, served?: Served): Promise<Emulator> {
  const names = loadNames(options.names);
  const { dataFolder, worldFile } = options;
  if (dataFolder !== undefined && worldFile !== undefined) throw new Error(WORLD_AND_FOLDER);
  const opened: Opened = {};
  try {
    if (dataFolder !== undefined) opened.folder = openDataFolder(dataFolder);
    if (worldFile !== undefined) opened.file = openWorldFile(worldFile);
    return await serve(options, names, served, opened);
  } catch (error) {
    await opened.port?.close();
    await opened.databases?.close();
    opened.folder?.close();
    opened.file?.close();
    throw error;
  }
}

const WORLD_AND_FOLDER =
  "An emulator that begins with a world keeps nothing: import the world into a new data folder, and start with that alone";

/** What has to be closed: what an earlier emulator left, and what this one opens. */
interface Opened {
  folder?: DataFolder;
  file?: WorldFile;
  databases?: Databases;
  port?: PostgresPort;
}

async function serve(
  options: EmulatorOptions,
  names: Names,
  served: Served | undefined,
  opened: Opened,
): Promise<Emulator> {
  const { folder, file } = opened;
  const restored = folder?.restored ?? file?.restored();
  const clock = options.clock ?? new MovableClock();
  if (restored !== undefined) catchUp(clock, restored);
  const { service: version, newer, microIsAddon } = options;
  const wanted = {
    ...(options.seedFile === undefined ? {} : readSeed(options.seedFile)),
    ...options.seed,
    ...(version !== undefined && { service: version }),
    ...(newer !== undefined && { newer }),
    ...(microIsAddon !== undefined && { microIsAddon }),
  };
  const seed = fixSeed(wanted, restored?.seed);
  const log = new CallLog(options.callLogSize);
  const earlierCalls = folder?.restoredCalls ?? file?.calls();
  if (earlierCalls !== undefined) log.restore(earlierCalls, restored?.callsAreIncomplete ?? false);
  const databases = createDatabases({
    names: (section, placeholder) => names.inDatabase(section, placeholder),
    ...(options.dataFolder !== undefined && { dataFolder: options.dataFolder }),
  });
  opened.databases = databases;
  const port = options.postgresPort === undefined ? undefined : new PostgresPort();
  if (port !== undefined) opened.port = port;
  await port?.listen({
    port: options.postgresPort ?? 0,
    host: options.host,
    shownHost: options.allowedHosts?.[0],
    folder: options.dataFolder,
    block: restored?.addressBlock,
  });
  const pace = options.pace ?? restored?.pace ?? 1;
  const newState = (): WorldState =>
    file?.restored().state ?? folder?.tracked(createState(seed)) ?? createState(seed);
  const owned = createWorld(
    { clock, pace, newState, calls: log, databases, addresses: port, issued: names.issued },
    restored,
  );
  port?.serve(owned.world);
  const goOn = (): void => {
    if (file !== undefined) databases.replace(file);
    (folder ?? file)?.addNewFields(owned.world);
    addMissing(owned.world.state, wanted, seed);
  };
  if (restored !== undefined) goOn();
  const durable = { ...owned, seed, clock, log };
  const store = folder?.storeOf(durable) ?? ephemeralStore;
  store.save();

  const wire = new ServerWire(names);
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
    exchanges: new Exchanges(),
    store,
    underWay: new CallsUnderWay(),
    overlapping: new OverlappingWrites(),
    internalErrors: [],
    validateAnswers: options.validateAnswers ?? true,
    gatewayNoise: options.gatewayNoise,
  };
  if (wanted.projects !== undefined) await plant(service, wanted.projects);
  const begin = (): void => {
    if (file !== undefined) goOn();
    const { projects = [] } = file === undefined ? seed : wanted;
    if (projects.length === 0) return;
    // It went well at the start.
    plant(service, projects).catch((error: unknown) => refusalFor(service, "reset", error));
  };
  const exportWorld = async (path: string): Promise<void> => {
    let written: Promise<void> | undefined;
    await service.underWay.between(() => {
      written = writeWorldFile(path, durable, databases);
    });
    await written;
  };
  const unsaved = createControl({ service, owned, clock, begin, exportWorld });
  const control = folder === undefined ? unsaved : savingControl(unsaved, store);
  const app = createApp(service);
  app.route("/", createPageApp());
  app.route("/_project", createProjectHost(owned.world));
  app.route("/_control", createControlApp(control, clock, wire, options.controlToken));
  const { url, close: stopListening } = await listen(app, clock, options);
  const close = async (): Promise<void> => {
    await stopListening();
    await port?.close();
    await databases.close();
    try {
      store.markAllDirty();
      store.save();
    } finally {
      folder?.close();
      file?.close();
    }
  };
  return { url, accessToken: seed.tokens[0].token, world: owned.world, control, close };
}

/** Loaded with the first file, as below. */
function readSeed(file: string): EmulatorSeed {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load it at every start
  const loaded = require("./seeding/read-seed-file") as typeof import("./seeding/read-seed-file");
  return loaded.readSeedFile(file);
}

/** At once, but for what reaches a database. */
function plant(service: Service, projects: readonly ProjectSeed[]): Promise<void> {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load it at every start
  const loaded = require("./seeding/plant-seed") as typeof import("./seeding/plant-seed");
  return loaded.plantProjects(service, projects);
}

/** Time that was skipped stays skipped, and between an export and the next start none passes. */
function catchUp(clock: EmulatorClock, { clockOffsetMs, exportedAt }: RestoredParts): void {
  const { offsetMs = 0 } = clock;
  const now = exportedAt ?? clock.now() + clockOffsetMs - offsetMs;
  if (now > clock.now()) clock.advance?.(now - clock.now());
  else if (exportedAt !== undefined || clockOffsetMs < 0) clock.continueFrom?.(now);
}

/** Loaded with the first data folder: most emulators keep nothing. */
function openDataFolder(path: string): DataFolder {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load it at every start
  const loaded = require("./worlds/data-folder") as typeof import("./worlds/data-folder");
  return loaded.DataFolder.open(path);
}

/** As above. */
function openWorldFile(path: string): WorldFile {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load it at every start
  const loaded = require("./worlds/world-file") as typeof import("./worlds/world-file");
  return loaded.WorldFile.open(path);
}

/** As above. */
function writeWorldFile(path: string, durable: DurableParts, databases: Databases): Promise<void> {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load it at every start
  const loaded = require("./worlds/world-file") as typeof import("./worlds/world-file");
  return loaded.WorldFile.write(path, durable, databases);
}

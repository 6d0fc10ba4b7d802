import { loadNames } from "../../spec/names/load-names";
import type { Names } from "../../spec/names/names";
import { createDatabases } from "../postgres/databases/create-databases";
import type { Databases } from "../postgres/databases/databases";
import { createService, type Served } from "../service/create-service";
import { createState } from "../service/create-state";
import { refusalFor } from "../service/server/execute";
import { listen } from "../service/server/listen";
import { CallLog } from "../service/world/call-log";
import { MovableClock } from "../service/world/clock";
import { createWorld } from "../service/world/create-world";
import type { WorldState } from "../service/world/state";
import { createControl } from "./control/create-control";
import { savingControl } from "./control/saving-control";
import { createEmulatorApp } from "./create-app";
import type { Emulator, EmulatorOptions } from "./emulator";
import { PostgresPort } from "./postgres-port/postgres-port";
import { addMissing, fixSeed } from "./seeding/seed";
import { plantSeed, readWantedSeed } from "./seeding/wanted-seed";
import { catchUp, KeptWorld, writeWorldFile } from "./worlds/kept-world";

/** Starts the API on this machine. */
export function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  return startServing(options);
}

/** Starts the generic stages around a table and handlers, the API's own when `served` is absent. */
export async function startServing(options: EmulatorOptions, served?: Served): Promise<Emulator> {
  const names = loadNames(options.names);
  const opened: Opened = { kept: KeptWorld.open(options) };
  try {
    return await serve(options, names, served, opened);
  } catch (error) {
    await opened.port?.close();
    await opened.databases?.close();
    opened.kept.close();
    throw error;
  }
}

/** What has to be closed: what an earlier emulator left, and what this one opens. */
interface Opened {
  readonly kept: KeptWorld;
  databases?: Databases;
  port?: PostgresPort;
}

async function serve(
  options: EmulatorOptions,
  names: Names,
  served: Served | undefined,
  opened: Opened,
): Promise<Emulator> {
  const { kept } = opened;
  const restored = kept.restored();
  const clock = options.clock ?? new MovableClock();
  if (restored !== undefined) catchUp(clock, restored);
  const wanted = readWantedSeed(options);
  const seed = fixSeed(wanted, restored?.seed);
  const log = new CallLog(options.callLogSize);
  const earlierCalls = kept.calls();
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
  const newState = (): WorldState => kept.newState(() => createState(seed));
  const owned = createWorld(
    { clock, pace, newState, calls: log, databases, addresses: port, issued: names.issued },
    restored,
  );
  const { world } = owned;
  port?.serve(world);
  const goOn = (): void => {
    kept.goOn(world, databases);
    addMissing(world.state, wanted, seed);
  };
  if (restored !== undefined) goOn();
  const durable = { ...owned, seed, clock, log };
  const store = kept.storeOf(durable);
  store.save();

  const { limits, validateAnswers, gatewayNoise } = options;
  const service = createService({ world, log, store, names, limits, validateAnswers, gatewayNoise }, served);
  if (wanted.projects !== undefined) await plantSeed(service, wanted.projects);
  const begin = (): void => {
    if (kept.isExported) goOn();
    const { projects = [] } = kept.isExported ? wanted : seed;
    if (projects.length === 0) return;
    // It went well at the start.
    plantSeed(service, projects).catch((error: unknown) => refusalFor(service, "reset", error));
  };
  const exportWorld = async (path: string): Promise<void> => {
    let written: Promise<void> | undefined;
    await service.underWay.between(() => {
      written = writeWorldFile(path, durable, databases);
    });
    await written;
  };
  const unsaved = createControl({ service, owned, clock, begin, exportWorld });
  const control = kept.isKept ? savingControl(unsaved, store) : unsaved;
  const app = createEmulatorApp(service, { control, clock, controlToken: options.controlToken });
  const { url, close: stopListening } = await listen(app, clock, options);
  const close = async (): Promise<void> => {
    await stopListening();
    await port?.close();
    await databases.close();
    try {
      store.markAllDirty();
      store.save();
    } finally {
      kept.close();
    }
  };
  return { url, accessToken: seed.tokens[0].token, world, control, close };
}

import type { Databases } from "../../postgres/databases/databases";
import type { CallRecord } from "../../service/world/call-record";
import type { EmulatorClock } from "../../service/world/clock";
import type { WorldState } from "../../service/world/state";
import { ephemeralStore, type StateStore } from "../../service/world/state-store";
import type { World } from "../../service/world/world";
import type { DataFolder } from "./data-folder";
import type { DurableParts, RestoredParts } from "./stored-records";
import type { WorldFile } from "./world-file";

/** Where an emulator keeps what it does, and what it begins with. */
export interface WorldPlaces {
  /** Folder that keeps everything over a restart, made when absent; without it nothing is kept. */
  readonly dataFolder?: string;
  /**
   * File of an exported world with which it begins, and to which a reset leads back. What the emulator does from then on is not
   * kept; `importWorld` makes a data folder of it.
   */
  readonly worldFile?: string;
}

/** The world that an emulator goes on with: that of a data folder, an exported one, or none. */
export class KeptWorld {
  private constructor(
    private readonly folder: DataFolder | undefined,
    private readonly file: WorldFile | undefined,
  ) {}

  static open({ dataFolder, worldFile }: WorldPlaces): KeptWorld {
    if (dataFolder !== undefined && worldFile !== undefined) throw new Error(WORLD_AND_FOLDER);
    return new KeptWorld(
      dataFolder === undefined ? undefined : openDataFolder(dataFolder),
      worldFile === undefined ? undefined : openWorldFile(worldFile),
    );
  }

  /** Whether what happens is kept. */
  get isKept(): boolean {
    return this.folder !== undefined;
  }

  /** Whether a reset leads back to it, and not to a seed. */
  get isExported(): boolean {
    return this.file !== undefined;
  }

  /** What was there before; undefined without a world. */
  restored(): RestoredParts | undefined {
    return this.folder?.restored ?? this.file?.restored();
  }

  calls(): readonly CallRecord[] | undefined {
    return this.folder?.restoredCalls ?? this.file?.calls();
  }

  /** The state of a reset; `fresh` makes one of the seed. */
  newState(fresh: () => WorldState): WorldState {
    return this.file?.restored().state ?? this.folder?.tracked(fresh()) ?? fresh();
  }

  /** Lets a world that was taken over go on: with its databases, and with the fields that were added since. */
  goOn(world: World, databases: Databases): void {
    if (this.file !== undefined) databases.replace(this.file);
    (this.folder ?? this.file)?.addNewFields(world);
  }

  storeOf(kept: DurableParts): StateStore {
    return this.folder?.storeOf(kept) ?? ephemeralStore;
  }

  close(): void {
    this.folder?.close();
    this.file?.close();
  }
}

const WORLD_AND_FOLDER =
  "An emulator that begins with a world keeps nothing: import the world into a new data folder, and start with that alone";

/** Time that was skipped stays skipped, and between an export and the next start none passes. */
export function catchUp(clock: EmulatorClock, { clockOffsetMs, exportedAt }: RestoredParts): void {
  const { offsetMs = 0 } = clock;
  const now = exportedAt ?? clock.now() + clockOffsetMs - offsetMs;
  if (now > clock.now()) clock.advance?.(now - clock.now());
  else if (exportedAt !== undefined || clockOffsetMs < 0) clock.continueFrom?.(now);
}

/** Loaded with the first data folder: most emulators keep nothing. */
function openDataFolder(path: string): DataFolder {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load it at every start
  const loaded = require("./data-folder") as typeof import("./data-folder");
  return loaded.DataFolder.open(path);
}

/** As above. */
function openWorldFile(path: string): WorldFile {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load it at every start
  const loaded = require("./world-file") as typeof import("./world-file");
  return loaded.WorldFile.open(path);
}

/** As above. */
export function writeWorldFile(path: string, durable: DurableParts, databases: Databases): Promise<void> {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load it at every start
  const loaded = require("./world-file") as typeof import("./world-file");
  return loaded.WorldFile.write(path, durable, databases);
}

import type { Control } from "./control/control";
import type { EmulatorClock } from "../service/world/clock";
import type { EmulatorSeed } from "./seeding/seed";
import type { ListenOptions } from "../service/server/listen";
import type { LimitRule } from "../service/server/rate-limits";
import type { ServiceVersion } from "../service/world/state";
import type { World } from "../service/world/world";
import type { GatewayNoise } from "../service/server/service";

export interface EmulatorOptions extends ListenOptions {
  /** Calls that the log keeps, the newest ones; 100 000 when absent. */
  readonly callLogSize?: number;
  /** Factor on every settling duration, 1 when absent. */
  readonly pace?: number;
  /** A `MovableClock` of its own when absent. */
  readonly clock?: EmulatorClock;
  /** An organization `acme` of the plan `pro`, `hobby` of the plan `free`, and one token with every privilege when absent. */
  readonly seed?: EmulatorSeed;
  /** File in JSON or YAML with a seed; what `seed` says wins. */
  readonly seedFile?: string;
  /** Folder that keeps everything over a restart, made when absent; without it nothing is kept. */
  readonly dataFolder?: string;
  /**
   * File of an exported world with which it begins, and to which a reset leads back. What the emulator does from then on is not
   * kept; `importWorld` makes a data folder of it.
   */
  readonly worldFile?: string;
  /** What the standard rate limit counts together, `scope` when absent: a project, or one `operation` of it. */
  readonly limits?: LimitRule;
  /** Where clients of Postgres reach the databases; 0 takes any free one. Nobody listens when absent. */
  readonly postgresPort?: number;
  /** JSON file of the names that callers use in place of the specification's placeholders, which are literal when absent. */
  readonly names?: string;
  /** How the service behaves: `current`, the default, as measured; `2026-06` as its documents of that month say. */
  readonly service?: ServiceVersion;
  /** Whether answers carry the fields that no document lists; not when absent. */
  readonly newer?: boolean;
  /** Whether the smallest size of a paid plan shows as an add-on, as in some installations; not when absent. */
  readonly microIsAddon?: boolean;
  /** What calls to `/_control` must bear as `Authorization: Bearer`; they need nothing when absent. */
  readonly controlToken?: string;
  readonly gatewayNoise?: GatewayNoise;
  /** Whether every success answer is compared with the operation table; true when absent. */
  readonly validateAnswers?: boolean;
}

/** A running emulator. */
export interface Emulator {
  /** Base URL without a trailing slash, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** The first seeded token, which holds every privilege unless the seed says otherwise. */
  readonly accessToken: string;
  readonly world: World;
  readonly control: Control;
  /** Stops listening, drops the connections that are still open, and ends the databases. */
  close(): Promise<void>;
}

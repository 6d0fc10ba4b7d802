import type { ListenOptions } from "../service/server/listen";
import type { LimitRule } from "../service/server/rate-limits";
import type { GatewayNoise } from "../service/server/service";
import type { EmulatorClock } from "../service/world/clock";
import type { World } from "../service/world/world";
import type { Control } from "./control/control";
import type { SeedOptions } from "./seeding/wanted-seed";
import type { WorldPlaces } from "./worlds/kept-world";

export interface EmulatorOptions extends ListenOptions, SeedOptions, WorldPlaces {
  /** Calls that the log keeps, the newest ones; 100 000 when absent. */
  readonly callLogSize?: number;
  /** Factor on every settling duration, 1 when absent. */
  readonly pace?: number;
  /** A `MovableClock` of its own when absent. */
  readonly clock?: EmulatorClock;
  /** What the standard rate limit counts together, `scope` when absent: a project, or one `operation` of it. */
  readonly limits?: LimitRule;
  /** Where clients of Postgres reach the databases; 0 takes any free one. Nobody listens when absent. */
  readonly postgresPort?: number;
  /** JSON file of the names that callers use in place of the specification's placeholders, which are literal when absent. */
  readonly names?: string;
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

import { operations } from "../spec/table";
import { CallLog } from "./call-log";
import { MovableClock } from "./clock";
import { createControl } from "./control/create-control";
import { createControlApp } from "./control/http";
import { createWorld } from "./create-world";
import type { Emulator, EmulatorOptions } from "./emulator";
import { Faults } from "./faults";
import { createPageApp } from "./page/page-app";
import { ruleHandlers } from "./rules";
import { fixSeed } from "./seed";
import { createApp } from "./server/app";
import { listen } from "./server/listen";
import { RateLimits } from "./server/rate-limits";
import type { Service } from "./server/service";
import { createDatabases } from "./sql/create-databases";
import { createState } from "./state";

/** Another table and other handlers than the API's; the tests of the generic stages bring their own. */
export type Served = Pick<Service, "operations" | "handlers">;

/** Starts the API on this machine. */
export function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  return startServing(options);
}

/** Starts the generic stages around a table and handlers, the API's own when `served` is absent. */
export async function startServing(options: EmulatorOptions, served?: Served): Promise<Emulator> {
  const clock = options.clock ?? new MovableClock();
  const seed = fixSeed(options.seed ?? {}, undefined);
  const log = new CallLog();
  const databases = createDatabases();
  const owned = createWorld(clock, options.pace ?? 1, () => createState(seed), log, databases);

  const service: Service = {
    operations: served?.operations ?? operations,
    handlers: served?.handlers ?? ruleHandlers,
    world: owned.world,
    faults: new Faults(),
    limits: new RateLimits(clock),
    log,
    internalErrors: [],
    validateAnswers: options.validateAnswers ?? true,
    gatewayNoise: options.gatewayNoise,
  };
  const control = createControl({ service, owned, clock });
  const app = createApp(service);
  app.route("/", createPageApp());
  app.route("/_control", createControlApp(control, clock));
  const { url, close: stopListening } = await listen(app, options.host ?? "127.0.0.1", options.port ?? 0);
  const close = async (): Promise<void> => {
    await stopListening();
    await databases.close();
  };
  return { url, accessToken: seed.tokens[0].token, world: owned.world, control, close };
}

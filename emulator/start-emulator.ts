import { operations } from "../spec/table";
import { CallLog } from "./call-log";
import { MovableClock } from "./clock";
import { createControl } from "./control/create-control";
import { createControlApp } from "./control/http";
import { createWorld } from "./create-world";
import type { Emulator, EmulatorOptions } from "./emulator";
import { Faults } from "./faults";
import { createHandlers } from "./handlers";
import { OAuthApps } from "./oauth-apps";
import { oauthHandlers } from "./oauth-handlers";
import { createPageApp } from "./page/page-app";
import { createApp } from "./server/app";
import { listen } from "./server/listen";
import { RateLimits } from "./server/rate-limits";
import type { Service } from "./server/service";
import { createState } from "./state";
import { Tokens } from "./tokens";

/** Another table and other handlers than the API's; the tests of the generic stages bring their own. */
export type Served = Pick<Service, "operations" | "handlers">;

/** Starts the API on this machine. */
export function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  return startServing(options);
}

/** Starts the generic stages around a table and handlers, the API's own when `served` is absent. */
export async function startServing(options: EmulatorOptions, served?: Served): Promise<Emulator> {
  const clock = options.clock ?? new MovableClock();
  const organizations = options.seed?.organizations ?? [{ slug: "acme", name: "Acme" }];
  const log = new CallLog();
  const owned = createWorld(clock, options.pace ?? 1, () => createState({ organizations }), log);

  const tokens = new Tokens();
  const [firstSeed = {}, ...otherSeeds] = options.seed?.tokens ?? [];
  const accessToken = tokens.issue(firstSeed);
  const seedTokens = (): void => {
    tokens.issue({ ...firstSeed, token: accessToken });
    for (const [index, seed] of otherSeeds.entries())
      otherSeeds[index] = { ...seed, token: tokens.issue(seed) };
  };
  seedTokens();

  const oauthApps = new OAuthApps(clock);
  const service: Service = {
    operations: served?.operations ?? operations,
    handlers:
      served === undefined ? createHandlers(oauthApps) : { ...served.handlers, ...oauthHandlers(oauthApps) },
    world: owned.world,
    tokens,
    oauthApps,
    faults: new Faults(),
    limits: new RateLimits(clock),
    log,
    internalErrors: [],
    validateAnswers: options.validateAnswers ?? true,
    gatewayNoise: options.gatewayNoise,
  };
  const control = createControl({ service, owned, clock, seedTokens });
  const app = createApp(service);
  app.route("/", createPageApp());
  app.route("/_control", createControlApp(control, clock));
  const { url, close } = await listen(app, options.host ?? "127.0.0.1", options.port ?? 0);
  return { url, accessToken, world: owned.world, control, close };
}

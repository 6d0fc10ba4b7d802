import type { Names } from "../../spec/names/names";
import { operations } from "../../spec/table";
import { ruleHandlers } from "./rules";
import { withNewerBodies, withoutNewerBodies } from "./rules/newer/with-newer-fields";
import { CallsUnderWay } from "./server/calls-under-way";
import { Exchanges } from "./server/exchanges";
import { Faults } from "./server/faults";
import { OverlappingWrites } from "./server/overlapping-writes";
import { type LimitRule, RateLimits } from "./server/rate-limits";
import type { Service } from "./server/service";
import { ServerWire } from "./server/wire";

/** Another table and other handlers than the API's; the tests of the generic stages bring their own. */
export type Served = Pick<Service, "operations" | "handlers">;

interface ServiceParts extends Pick<Service, "world" | "log" | "store" | "gatewayNoise"> {
  readonly names: Names;
  readonly limits: LimitRule | undefined;
  readonly validateAnswers: boolean | undefined;
}

/** The generic stages around a table and handlers, the API's own when `served` is absent. */
export function createService(
  { world, log, store, names, limits, validateAnswers = true, gatewayNoise }: ServiceParts,
  served: Served = { operations, handlers: ruleHandlers },
): Service {
  const tables: { newer?: Served["operations"]; older?: Served["operations"] } = {};
  return {
    get operations() {
      return world.state.newer
        ? (tables.newer ??= withNewerBodies(served.operations))
        : (tables.older ??= withoutNewerBodies(served.operations));
    },
    handlers: served.handlers,
    world,
    wire: new ServerWire(names),
    faults: new Faults(),
    limits: new RateLimits(world.clock, limits),
    log,
    exchanges: new Exchanges(),
    store,
    underWay: new CallsUnderWay(),
    overlapping: new OverlappingWrites(),
    internalErrors: [],
    validateAnswers,
    gatewayNoise,
  };
}

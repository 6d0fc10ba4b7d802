import type { Operation } from "../../../../spec/operation";
import type { OperationName } from "../../../../spec/table";
import type { Handler, Handlers } from "../shared/handler";
import { isAsMeasured } from "../../world/state";
import { projectAt } from "../shared/project-at";
import { statusOf } from "../shared/project-status";
import { Refusal } from "../../answers/refusal";

const FAILED = new Refusal(500, "Internal Server Error");
const NO_DATABASE = new Refusal(544, "Connection terminated due to connection timeout");
const NOTHING_RUNS = new Refusal(400, "No active services available");

/** What a paused project answers otherwise than a running one (service, Paused projects). */
const answers: Readonly<Partial<Record<OperationName, Refusal | (() => unknown)>>> = {
  listApiKeys: () => [],
  getPerformanceAdvisors: () => ({ lints: [] }),
  getSecurityAdvisors: () => ({ lints: [] }),
  listPoolerConfigs: () => [],
  getHealth: NOTHING_RUNS,
  getMetrics: NOTHING_RUNS,
  getDatabaseOpenapi: NOTHING_RUNS,
  getTypescriptTypes: NOTHING_RUNS,
  getUpgradeEligibility: NOTHING_RUNS,
  getRestLayerConfig: new Refusal(404, "Postgres config not found"),
  getJitUser: new Refusal(406, "User does not have JIT access"),
  listSigningKeys: FAILED,
  getLegacySigningKey: FAILED,
  listSsoProviders: FAILED,
  getDiskUtilization: FAILED,
  getDatabaseContext: FAILED,
  getSslEnforcement: FAILED,
  listBuckets: FAILED,
  restartProject: FAILED,
  listMigrations: NO_DATABASE,
  applyMigration: NO_DATABASE,
  getReadonlyMode: NO_DATABASE,
  runQuery: NO_DATABASE,
  runReadOnlyQuery: NO_DATABASE,
  enableWebhooks: NO_DATABASE,
};

/** Handlers of which some answer otherwise while the project is paused. */
export function withPausedAnswers(handlers: Handlers): Handlers {
  const changed = (Object.keys(answers) as (keyof typeof answers)[]).map((name) => {
    // Each handler by its own name, for the same exchange.
    const handler = handlers[name] as Handler<Operation>;
    const answer = answers[name];
    const whilePaused: Handler<Operation> = (exchange) => {
      const { world, params } = exchange;
      // Each of these operations has a project in its path.
      const project = projectAt(world, String(params["ref"]));
      const isPaused = isAsMeasured(world.state) && statusOf(world, project) === "INACTIVE";
      if (!isPaused || answer === undefined) return handler(exchange);
      if (answer instanceof Refusal) throw answer;
      return answer();
    };
    return [name, whilePaused];
  });
  return { ...handlers, ...(Object.fromEntries(changed) as Partial<Handlers>) };
}

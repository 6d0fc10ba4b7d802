import type { World } from "../../world/world";
import { projectAt } from "../shared/project-at";
import type { FunctionRecord } from "../../world/records/functions";
import { requireFound } from "../../answers/refusal";

/** Invocations of one function, all alike. */
export interface Invocations {
  /** The function's. */
  readonly slug: string;
  /** 1 when absent. */
  readonly times?: number;
  /** What the function's status lets it answer when absent. */
  readonly statusCode?: number;
  /** 50 when absent. */
  readonly executionMs?: number;
}

const usualStatusCodes: Readonly<Record<FunctionRecord["status"], number>> = {
  ACTIVE: 200,
  REMOVED: 404,
  THROTTLED: 429,
};

/** Lets a function be invoked now: it is not run, only counted and logged. */
export function invokeFunction(world: World, ref: string, invocations: Invocations): void {
  const project = projectAt(world, ref);
  const invoked = requireFound(project.functions.get(invocations.slug), "Function not found");
  const { times = 1, statusCode = usualStatusCodes[invoked.status], executionMs = 50 } = invocations;
  for (let count = 0; count < times; count += 1) {
    const at = world.clock.now();
    project.invocations.push({ id: world.newId(), functionId: invoked.id, at, statusCode, executionMs });
  }
}

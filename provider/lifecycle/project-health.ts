import { ApiError, isNotFound, TimeoutError } from "../client/errors";
import type { Context } from "../define/context";
import { settle } from "./settle";

/** Services whose health the API reports (`wire.json`, GET health). */
export type HealthService =
  "auth" | "db" | "db_postgres_user" | "pooler" | "realtime" | "rest" | "storage" | "legacy_pooler";

/** Waits until every named service of the project or branch `ref` reports ACTIVE_HEALTHY; the error names those that do not. */
export async function waitForServices(
  ctx: Context,
  ref: string,
  services: readonly HealthService[],
): Promise<void> {
  if (services.length === 0) return;
  await settle(ctx, {
    what: `the services of ${ref}`,
    look: () => ctx.api.getHealth({ ref, services: [...services] }),
    judge: (entries) => {
      const unhealthy = services.flatMap((service) => {
        const entry = entries.find(({ name }) => name === service);
        if (entry?.status === "ACTIVE_HEALTHY") return [];
        const why = entry?.error ?? undefined;
        return [`${service} is ${entry?.status ?? "not reported"}${why === undefined ? "" : ` (${why})`}`];
      });
      return unhealthy.length === 0
        ? { kind: "done", value: undefined }
        : { kind: "waiting", reason: unhealthy.join(", ") };
    },
    mayPass: mayPassWhileStarting,
  });
}

/** A refusal that a project made or restarted a moment ago gives for a while (behaviour, Projects). */
export function mayPassWhileStarting(error: unknown): boolean {
  return error instanceof ApiError && [400, 403, 404, 409, 500, 502, 503, 504, 544].includes(error.status);
}

/**
 * Sends a write that needs a settled project. When the service refuses it because the project is still starting, waits
 * for `services` and sends it again; a refusal by a healthy project stands.
 */
export async function whenReady<T>(
  ctx: Context,
  ref: string,
  services: readonly HealthService[],
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400 || isNotFound(error)) throw error;
    try {
      await waitForServices(ctx, ref, services);
    } catch (waiting) {
      throw waiting instanceof TimeoutError ? waiting : error;
    }
    return write();
  }
}

import { ApiError, isUnrouted, ManagementError } from "../../client/errors/errors";
import type { Context } from "../../define/context";
import type { ProjectConfig } from "../settings-definition";

/** How long the answer is waited for: each configuration can be read by itself. */
const LONGEST_WAIT_MS = 30_000;

const EVERYWHERE = "getProjectConfig";

const projectConfigKey = (ref: string): string => `${EVERYWHERE}:${ref}`;

/**
 * What is in force in a whole project, by one call for all its configurations that a refresh reads. Undefined where no configuration of
 * another type is read, or the service does not answer: each is then read by itself.
 */
export async function readProjectConfig(
  ctx: Context,
  ref: string,
  type: string,
): Promise<ProjectConfig | undefined> {
  const { shared } = ctx;
  const key = projectConfigKey(ref);
  const isRefused = (): boolean => shared.refusedReads.has(EVERYWHERE) || shared.refusedReads.has(key);
  if (isRefused() || !(await shared.isForSeveral(key, type)) || isRefused()) return undefined;
  const { config } = await shared.list(key, async () => ({ config: await askForProjectConfig(ctx, ref) }));
  return config;
}

/** To be called after every write to a configuration of the project. */
export function forgetProjectConfig({ shared }: Pick<Context, "shared">, ref: string): void {
  shared.forget(projectConfigKey(ref));
}

async function askForProjectConfig(ctx: Context, ref: string): Promise<ProjectConfig | undefined> {
  const deadlineMs = Math.min(ctx.deadlineMs, ctx.clock.now() + LONGEST_WAIT_MS);
  const { api } = ctx.within({ deadlineMs, signal: ctx.signal, isTriedOnce: true });
  try {
    const { data } = await api.getProjectConfig({ ref });
    return data?.attributes ?? undefined;
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (!(error instanceof ManagementError)) throw error;
    noteRefusal(ctx, ref, error);
    return undefined;
  }
}

/**
 * The token and the plan are mostly those of all projects of a program, and an endpoint is there for all or for none. A 404 of the
 * project itself says nothing of others.
 */
function noteRefusal({ shared }: Context, ref: string, error: ManagementError): void {
  if (!(error instanceof ApiError) || ![402, 403, 404].includes(error.status)) return;
  const isOfProject = error.status === 404 && !isUnrouted(error);
  shared.refusedReads.add(isOfProject ? projectConfigKey(ref) : EVERYWHERE);
}

import type { Environment } from "./engine";
import { findPostgres, startPostgres } from "./postgres-cluster";
import { startSlowProxy } from "./slow-proxy";

/** Two such waits are in each write of the state, which then takes as long as over a distant network. */
export const STATE_DELAY_MS = 30;

/** A state backend on which every read and write of the engine takes a while. */
export interface SlowBackend {
  /** Where the state of one more workspace is kept: in a table of its own. */
  newUrl(): string;
  dispose(): Promise<void>;
}

/** The engine's own Postgres backend behind a slow connection; undefined where the machine has no Postgres server. */
export async function startSlowBackend(options: {
  delayMs: number;
  env?: Environment;
}): Promise<SlowBackend | undefined> {
  const binDir = findPostgres(options.env ?? process.env);
  if (binDir === undefined) return undefined;
  const cluster = await startPostgres(binDir);
  const proxy = await startSlowProxy({ socket: cluster.socket, delayMs: options.delayMs });
  let tables = 0;
  return {
    newUrl: () => {
      tables += 1;
      return `postgres://${cluster.user}@127.0.0.1:${proxy.port}/postgres?sslmode=disable&table=state_${tables}`;
    },
    dispose: async () => {
      await proxy.close();
      await cluster.dispose();
    },
  };
}

import type { Environment } from "./engine";
import { findPostgres, startPostgres } from "./postgres-cluster";
import { startSlowProxy } from "./slow-proxy";

/** A state backend on which every read and write of the engine takes a while. */
export interface SlowBackend {
  /** Where one stack's state is kept: a table of its own. */
  urlOf(table: string): string;
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
  return {
    urlOf: (table) =>
      `postgres://${cluster.user}@127.0.0.1:${proxy.port}/postgres?sslmode=disable&table=${table}`,
    dispose: async () => {
      await proxy.close();
      await cluster.dispose();
    },
  };
}

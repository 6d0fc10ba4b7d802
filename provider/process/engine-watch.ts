import { connect } from "node:http2";

const LOOK_AGAIN_MS = 1_000;

/**
 * Tells once when the engine at `address`, as `127.0.0.1:4711`, is gone, however it ended. No signal and no parent process
 * does: the launcher that Pulumi ships for dynamic providers is a shell that outlives the engine with its provider.
 */
export function watchEngine(address: string, gone: () => void): void {
  // A whole HTTP/2 session, though nothing is asked: the engine waits at its end for connections that are half made.
  const session = connect(`http://${address}`);
  session.unref();
  let isRefused = false;
  let lookAgainMs = LOOK_AGAIN_MS;
  session.on("connect", () => {
    lookAgainMs = 0;
  });
  session.on("error", (error: Error) => {
    isRefused = "code" in error && error.code === "ECONNREFUSED";
  });
  session.on("close", () => {
    if (isRefused) return gone();
    setTimeout(() => watchEngine(address, gone), lookAgainMs).unref();
  });
}

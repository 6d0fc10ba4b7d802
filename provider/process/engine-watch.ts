import { connect } from "node:http2";

const LOOK_AGAIN_MS = 1_000;
/** Refusals in a row before an engine that was never reached counts as gone. */
const REFUSALS_WITHOUT_CONTACT = 5;

/**
 * Tells once when the engine at `address`, as `127.0.0.1:4711`, is gone, however it ended. No signal and no parent process
 * does: the launcher that Pulumi ships for dynamic providers is a shell that outlives the engine with its provider.
 */
export function watchEngine(address: string, gone: () => void): void {
  let wasReached = false;
  let refusals = 0;
  const look = (): void => {
    // A whole HTTP/2 session, though nothing is asked: the engine waits at its end for connections that are half made.
    const session = connect(`http://${address}`);
    session.unref();
    let isConnected = false;
    session.on("connect", () => {
      isConnected = wasReached = true;
      refusals = 0;
    });
    session.on("error", (error: Error) => {
      if ("code" in error && error.code === "ECONNREFUSED") refusals += 1;
    });
    session.on("close", () => {
      if (refusals >= (wasReached ? 1 : REFUSALS_WITHOUT_CONTACT)) gone();
      else setTimeout(look, isConnected ? 0 : LOOK_AGAIN_MS).unref();
    });
  };
  look();
}

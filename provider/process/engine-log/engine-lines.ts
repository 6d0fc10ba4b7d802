import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import type { StatusLine } from "../status-reporter";

/** How long the engine may take for a line; one that it does not take is lost. */
const DEADLINE_MS = 5_000;

/**
 * Sends lines to the user through the engine; without one they are dropped. `grpc` gives the very package that the SDK
 * uses: another copy's credentials would not be accepted.
 */
export function createEngineLines(
  engineAddress: () => string | undefined,
  grpc: () => typeof import("@grpc/grpc-js"),
): (line: StatusLine) => Promise<void> {
  let engine: EngineClient | undefined;
  return ({ urn, severity, message, isEphemeral }) =>
    new Promise((resolve) => {
      const address = engineAddress();
      if (address?.includes(":") !== true) return resolve();
      const { credentials, Metadata } = grpc();
      engine ??= new EngineClient(address, credentials.createInsecure(), ENGINE_CHANNEL);
      const request = new LogRequest();
      request.setSeverity(severity === "info" ? LogSeverity.INFO : LogSeverity.WARNING);
      request.setUrn(urn);
      request.setMessage(message);
      request.setEphemeral(isEphemeral);
      engine.log(request, new Metadata(), { deadline: Date.now() + DEADLINE_MS }, () => resolve());
    });
}
/** The engine is on this machine: a proxy that the environment names for the service is not on the way to it. */
export const ENGINE_CHANNEL = { "grpc.enable_http_proxy": 0 };

import { createRequire } from "node:module";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import type { Line } from "../process/lines";

/** How long the engine may take for a line; one that it does not take is lost. */
const DEADLINE_MS = 5_000;

/** Lines to the user through the engine, whose address is the provider process's argument; without one they are dropped. */
export function engineLog(address: string | undefined): (line: Line) => Promise<void> {
  let engine: EngineClient | undefined;
  return ({ urn, severity, message, isEphemeral }) =>
    new Promise((resolve) => {
      if (address?.includes(":") !== true) return resolve();
      const { credentials, Metadata } = sdkGrpc();
      engine ??= new EngineClient(address, credentials.createInsecure());
      const request = new LogRequest();
      request.setSeverity(severity === "info" ? LogSeverity.INFO : LogSeverity.WARNING);
      request.setUrn(urn);
      request.setMessage(message);
      request.setEphemeral(isEphemeral);
      engine.log(request, new Metadata(), { deadline: Date.now() + DEADLINE_MS }, () => resolve());
    });
}

/** The very gRPC package that the SDK uses: another copy's credentials would not be accepted. */
function sdkGrpc(): typeof import("@grpc/grpc-js") {
  const requireAsSdk = createRequire(require.resolve("@pulumi/pulumi"));
  return requireAsSdk("@grpc/grpc-js") as typeof import("@grpc/grpc-js");
}

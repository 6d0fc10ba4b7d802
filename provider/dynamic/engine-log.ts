import { createRequire } from "node:module";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import type { ProcessLog } from "../process/process-runtime";

/** Lines to the user through the engine, whose address is the provider process's argument; without one they are dropped. */
export function engineLog(address: string | undefined): ProcessLog {
  let engine: EngineClient | undefined;
  const send = (severity: 1 | 2, message: string, isEphemeral: boolean): void => {
    if (address?.includes(":") !== true) return;
    engine ??= new EngineClient(address, insecureCredentials());
    const request = new LogRequest();
    request.setSeverity(severity);
    request.setMessage(message);
    request.setEphemeral(isEphemeral);
    // A line that gets lost is no reason to fail what it tells of.
    engine.log(request, () => undefined);
  };
  return {
    progress: (message) => send(LogSeverity.INFO, message, true),
    warn: (message) => send(LogSeverity.WARNING, message, false),
  };
}

/** Credentials of the very gRPC package that the SDK uses: another copy's would not be accepted. */
function insecureCredentials(): import("@grpc/grpc-js").ChannelCredentials {
  const requireAsSdk = createRequire(require.resolve("@pulumi/pulumi"));
  return (requireAsSdk("@grpc/grpc-js") as typeof import("@grpc/grpc-js")).credentials.createInsecure();
}

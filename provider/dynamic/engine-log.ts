import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";

export interface EngineLog {
  /** A line that shows what is going on and may vanish. */
  progress(message: string): void;
  warn(message: string): void;
}

/** Lines to the user through the engine, whose address is the provider process's argument; without one they are dropped. */
export function engineLog(address: string | undefined): EngineLog {
  let engine: EngineClient | undefined;
  const send = (severity: 1 | 2, message: string, isEphemeral: boolean): void => {
    if (address === undefined || !address.includes(":")) return;
    engine ??= new EngineClient(address, credentials.createInsecure());
    const request = new LogRequest();
    request.setSeverity(severity);
    request.setMessage(message);
    request.setEphemeral(isEphemeral);
    engine.log(request, () => undefined);
  };
  return {
    progress: (message) => send(LogSeverity.INFO, message, true),
    warn: (message) => send(LogSeverity.WARNING, message, false),
  };
}

import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";

/** Lines to the user, each on the row of the resource that it is about; an empty URN means no resource. */
export interface EngineRows {
  /** A line that shows what is going on and may vanish. */
  progress(urn: string, message: string): void;
  warn(urn: string, message: string): void;
}

/** Without an engine the lines are dropped. */
export function createEngineRows(engineAddress: () => string | undefined): EngineRows {
  let engine: EngineClient | undefined;
  const send = (severity: 1 | 2, urn: string, message: string, isEphemeral: boolean): void => {
    const address = engineAddress();
    if (address === undefined) return;
    engine ??= new EngineClient(address, credentials.createInsecure());
    const request = new LogRequest();
    request.setSeverity(severity);
    request.setUrn(urn);
    request.setMessage(message);
    request.setEphemeral(isEphemeral);
    // A line that gets lost is no reason to fail what it tells of.
    engine.log(request, () => undefined);
  };
  return {
    progress: (urn, message) => send(LogSeverity.INFO, urn, message, true),
    warn: (urn, message) => send(LogSeverity.WARNING, urn, message, false),
  };
}

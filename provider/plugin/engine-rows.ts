import { credentials, Metadata } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import type { Line } from "../process/lines";

/** How long the engine may take for a line; one that it does not take is lost. */
const DEADLINE_MS = 5_000;

/** Lines to the user, each on the row of the resource that it is about; without an engine they are dropped. */
export function createEngineRows(engineAddress: () => string | undefined): (line: Line) => Promise<void> {
  let engine: EngineClient | undefined;
  return ({ urn, severity, message, isEphemeral }) =>
    new Promise((resolve) => {
      const address = engineAddress();
      if (address === undefined) return resolve();
      engine ??= new EngineClient(address, credentials.createInsecure());
      const request = new LogRequest();
      request.setSeverity(severity === "info" ? LogSeverity.INFO : LogSeverity.WARNING);
      request.setUrn(urn);
      request.setMessage(message);
      request.setEphemeral(isEphemeral);
      engine.log(request, new Metadata(), { deadline: Date.now() + DEADLINE_MS }, () => resolve());
    });
}

import { Metadata, status, type ServiceError } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { CancelledError, InvalidInputError, isAmbiguous } from "../client/errors/errors";
import { InitializationError } from "../engine/step/errors";
import type { Values } from "../define/values";
import { marshal } from "./marshal";

/** How an error leaves: texts as they are printed, and the half-made resource with its secrets marked. */
export interface ServiceErrorOptions {
  readonly print: (text: string) => string;
  readonly outputs: (state: Values) => Values;
}

/** An error as gRPC carries it: a resource that exists but has not settled goes along, so that it is kept in state. */
export function toServiceError(error: unknown, { print, outputs }: ServiceErrorOptions): ServiceError {
  if (error instanceof Error && isServiceError(error)) return error;
  const message = print(error instanceof Error ? error.message : String(error));
  const metadata = new Metadata();
  if (error instanceof InitializationError) {
    const detail = new ErrorResourceInitFailed();
    detail.setId(error.id);
    detail.setProperties(marshal(outputs(error.state)));
    detail.setReasonsList(error.reasons.map(print));
    metadata.add("grpc-status-details-bin", Buffer.from(packDetail(message, detail)));
  }
  const code = statusCodeOf(error);
  return Object.assign(new Error(message), { code, details: message, metadata });
}

function packDetail(message: string, detail: ErrorResourceInitFailed): Uint8Array {
  const any = new Any();
  any.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const envelope = new Status();
  envelope.setCode(status.UNKNOWN);
  envelope.setMessage(message);
  envelope.addDetails(any);
  return envelope.serializeBinary();
}

/** The engine takes UNKNOWN for "it may have happened" and remembers the operation as pending. */
function statusCodeOf(error: unknown): status {
  if (error instanceof InitializationError || isAmbiguous(error)) return status.UNKNOWN;
  if (error instanceof CancelledError) return status.CANCELLED;
  if (error instanceof InvalidInputError) return status.INVALID_ARGUMENT;
  return status.FAILED_PRECONDITION;
}

function isServiceError(error: Error): error is ServiceError {
  return "details" in error && "metadata" in error && error.metadata instanceof Metadata;
}

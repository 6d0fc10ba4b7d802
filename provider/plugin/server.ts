import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { createService, type ServiceOptions } from "./service";

/** The engine's own limit: a message may hold a whole state. */
const LARGEST_MESSAGE_BYTES = 400 * 1024 * 1024;

export interface PluginServer {
  readonly port: number;
  close(): void;
}

/** Serves the provider on a free port of the loopback interface. */
export async function startPluginServer(options: ServiceOptions): Promise<PluginServer> {
  const server = new Server({
    "grpc.max_receive_message_length": LARGEST_MESSAGE_BYTES,
    "grpc.max_send_message_length": LARGEST_MESSAGE_BYTES,
  });
  server.addService(ResourceProviderService, createService(options));
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { port, close: () => server.forceShutdown() };
}

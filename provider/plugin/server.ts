import { Server, ServerCredentials, type MethodDefinition } from "@grpc/grpc-js";
import { createService, loadMessages, type ServiceOptions } from "./service";

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
  const service = createService(options);
  const methods = Object.keys(service).map((name) => [name, methodOf(name)] as const);
  server.addService(Object.fromEntries(methods), service);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { port, close: () => server.forceShutdown() };
}

/** The methods that answer with several messages. */
const STREAMING = new Set(["list"]);

/** A method of Pulumi's service, whose messages are loaded with the first request. */
function methodOf(name: string): MethodDefinition<unknown, unknown> {
  const messagesOf = (): MethodDefinition<unknown, unknown> => {
    // The service's type lists its methods by name; an unknown one has no entry.
    const method = (loadMessages().ResourceProviderService as Record<string, unknown>)[name];
    return method as MethodDefinition<unknown, unknown>;
  };
  return {
    path: `/pulumirpc.ResourceProvider/${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
    requestStream: false,
    responseStream: STREAMING.has(name),
    requestSerialize: (request) => messagesOf().requestSerialize(request),
    requestDeserialize: (bytes) => messagesOf().requestDeserialize(bytes),
    responseSerialize: (response) => messagesOf().responseSerialize(response),
    responseDeserialize: (bytes) => messagesOf().responseDeserialize(bytes),
  };
}

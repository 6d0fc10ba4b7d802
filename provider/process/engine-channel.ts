/** The engine is on this machine: a proxy that the environment names for the service is not on the way to it. */
export const ENGINE_CHANNEL = { "grpc.enable_http_proxy": 0 };

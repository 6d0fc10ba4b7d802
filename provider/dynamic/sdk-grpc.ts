import { createRequire } from "node:module";

/** The gRPC package of the SDK that loaded this one. */
export function loadSdkGrpc(): typeof import("@grpc/grpc-js") {
  const requireAsSdk = createRequire(require.resolve("@pulumi/pulumi"));
  return requireAsSdk("@grpc/grpc-js") as typeof import("@grpc/grpc-js");
}

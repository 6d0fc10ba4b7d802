import "../core/node-version";
import type { dynamic } from "@pulumi/pulumi";
import { resourceByType } from "../catalog/catalog";
import { createDynamicProvider } from "./dynamic-provider";
import { watchCancelFile } from "../client/cancel-file";
import { exitWithEngine } from "../process/exit-with-engine";
import { createEngineLines } from "../process/engine-log/engine-lines";
import { createProcessRuntime } from "../process/process-runtime";
import { loadSdkGrpc } from "./sdk-grpc";

const engineAddress = process.argv[2];
const steps = exitWithEngine(() => engineAddress);
const processRuntime = createProcessRuntime(
  process.env,
  createEngineLines(() => engineAddress, loadSdkGrpc),
  { signal: AbortSignal.any([steps.signal, watchCancelFile(process.env)]) },
);

/**
 * The dynamic provider of one resource type. Public API for ever: the state of every stack holds
 * `require("pulumi-management/dynamic").provider("<Type>")`.
 */
export function provider(type: string): dynamic.ResourceProvider {
  return createDynamicProvider(resourceByType(type), processRuntime, (step) => steps.run(step));
}

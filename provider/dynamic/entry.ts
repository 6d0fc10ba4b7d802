import type { dynamic } from "@pulumi/pulumi";
import { resourceByType } from "../catalog";
import { createDynamicProvider } from "./dynamic-provider";
import { createProcessRuntime } from "./process-runtime";

const processRuntime = createProcessRuntime(process.env);

/**
 * The dynamic provider of one resource type. Public API for ever: the state of every stack holds
 * `require("pulumi-management/dynamic").provider("<Type>")`.
 */
export function provider(type: string): dynamic.ResourceProvider {
  return createDynamicProvider(resourceByType(type), processRuntime);
}

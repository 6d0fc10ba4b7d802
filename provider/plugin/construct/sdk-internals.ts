import type { Inputs } from "@pulumi/pulumi/output";
import type { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";

/**
 * What Pulumi's SDK has for components of its own languages and does not declare. `test/engine/preview-environment.full.test.ts`
 * fails when a version of the SDK no longer has it.
 */
interface ProviderServer {
  readonly deserializeInputs: (
    inputs: ReturnType<ConstructRequest["getInputs"]>,
    dependencies: ReturnType<ConstructRequest["getInputdependenciesMap"]>,
  ) => Promise<Inputs>;
}
interface State {
  /** What the SDK knows of the run, for the length of the call. */
  readonly withLocalStorage: <T>(work: () => Promise<T>) => Promise<T>;
}
interface Settings {
  readonly awaitFeatureSupport: () => Promise<void>;
  readonly waitForRPCs: () => Promise<void>;
}

/* eslint-disable @typescript-eslint/no-require-imports -- what is not declared cannot be imported */
export const { deserializeInputs } = require("@pulumi/pulumi/provider/server") as ProviderServer;
export const { withLocalStorage } = require("@pulumi/pulumi/runtime/state") as State;
export const { awaitFeatureSupport, waitForRPCs } = require("@pulumi/pulumi/runtime/settings") as Settings;

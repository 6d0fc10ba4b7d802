import type { ManagementClient } from "../../../provider/client";
import type { Made } from "../../../provider/lifecycle/operations/create";
import type { Values } from "../../../provider/lifecycle/state";

/** In what a resource is tried. */
export interface Scene {
  readonly client: ManagementClient;
  readonly organization: string;
  readonly projectName: string;
  readonly region: string;
  readonly dbPass: string;
  /** A name of a domain that the user owns; no hostname is tried without one. */
  readonly hostname: string | undefined;
  /** The project's reference; empty until it is created. */
  readonly ref: string;
}

/** A resource type that the acceptance run tries, and how. */
export interface Subject {
  readonly type: string;
  readonly inputs: (scene: Scene) => Values;
  /** What the resource needs beside the project. */
  readonly prepare?: (scene: Scene) => Promise<unknown>;
  /** A change outside Pulumi, by one call of the API. */
  readonly edit: (scene: Scene, made: Made) => Promise<unknown>;
  /** What of this type is on the service: equal before the create and after the destroy. */
  readonly look: (scene: Scene) => Promise<unknown>;
  /** Why it cannot be tried in this scene. */
  readonly leftOut?: (scene: Pick<Scene, "hostname">) => string | undefined;
  /** What it costs beside the project. */
  readonly costs?: readonly CostItem[];
}

/** Something that the service bills: compute by the hour, an add-on at most a month. */
export type CostItem = "branch" | "custom_domain";

/** The text that every edit outside Pulumi writes. */
export const BY_HAND = "by-hand";

import type { EngineEvent } from "@pulumi/pulumi/automation";

/** The nine kinds of resources in the quickstart program. */
export const RESOURCE_TYPES = [
  "Project",
  "Branch",
  "SigningKey",
  "ApiKey",
  "Secret",
  "EdgeFunction",
  "SsoProvider",
  "CustomHostname",
  "PostgresConfig",
] as const;

/** A change of a resource that a refresh reported. */
export interface Drift {
  /** The name of the resource in the program. */
  readonly name: string;
  readonly type: string;
  readonly deleted: boolean;
  /** Changed properties with their old and new values; none where all that changed is secret. */
  readonly changes: Readonly<Record<string, { readonly old: unknown; readonly new: unknown }>>;
}

/** What a refresh found, from the engine's own events. */
export function driftIn(events: readonly EngineEvent[]): Drift[] {
  return events.flatMap(({ resOutputsEvent }): Drift[] => {
    const metadata = resOutputsEvent?.metadata;
    // The engine writes null for what was not there, which its type does not say.
    if (!metadata?.old || !metadata.type.includes("management:")) return [];
    const type = metadata.type.split(":").at(-1) ?? metadata.type;
    const name = metadata.urn.split("::").at(-1) ?? metadata.urn;
    if (metadata.op === "delete") return [{ name, type, deleted: true, changes: {} }];
    if (metadata.op !== "update") return [];
    const before: Record<string, unknown> = metadata.old.outputs;
    const after: Record<string, unknown> = metadata.new?.outputs ?? {};
    const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((key) => !key.startsWith("__") && JSON.stringify(before[key]) !== JSON.stringify(after[key]))
      .map((key) => [key, { old: before[key], new: after[key] }] as const);
    return [{ name, type, deleted: false, changes: Object.fromEntries(changed) }];
  });
}

/** In this status alone, a project or branch without anything in a listing has none of it. */
export const ACTIVE_HEALTHY = "ACTIVE_HEALTHY";

/** Whether a project or branch of this status is being removed with everything in it, or was (service, Projects). */
export function isBeingRemoved(status: string | null | undefined): boolean {
  return status === "GOING_DOWN" || status === "REMOVED";
}

import type { Answer } from "../../../spec/operation";
import type { Operations } from "../../../spec/table";
import type { ProjectRecord } from "../records/project";
import type { SigningKeyRecord, SigningKeyStatus } from "../records/sub-resources";

/** Private keys are never returned (service, Signing keys). */
export function viewKey(key: SigningKeyRecord): Answer<Operations["getSigningKey"]> {
  return {
    id: key.id,
    algorithm: key.algorithm,
    status: key.status,
    public_jwk: key.publicJwk,
    created_at: new Date(key.createdAt).toISOString(),
    updated_at: new Date(key.updatedAt).toISOString(),
  };
}

/** Another key takes over (service, Signing keys). */
export function retireKeyInUse(project: ProjectRecord, now: number): void {
  for (const key of project.signingKeys.values()) {
    if (key.status === "in_use") changeStatus(key, "previously_used", now);
  }
}

export function changeStatus(key: SigningKeyRecord, status: SigningKeyStatus, now: number): void {
  key.status = status;
  key.statusChangedAt = now;
  key.updatedAt = now;
}

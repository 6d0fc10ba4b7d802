/** A personal access token (management-api-1, Authentication 2 and 4). */
export interface AccessTokenRecord {
  /** `full` holds every privilege of the user, `fine-grained` only the permissions listed. */
  readonly kind: "full" | "fine-grained";
  readonly user: string;
  permissions: string[];
}

/** A place where the table differs from `spec/facts.json` on purpose. */
export interface DeliberateDifference {
  /** Matches the differences that it explains, each of which reads `place: what here, what there`. */
  readonly pattern: RegExp;
  readonly reason: string;
}

export const deliberateDifferences: readonly DeliberateDifference[] = [
  {
    pattern: /^GET \/v2\/projects\/\{ref\}\/config > .* > auth > properties: nothing in the documents/,
    reason:
      "names, Auth configuration: an installation's words stand in the keys of its fields, which the documents leave open",
  },
  {
    pattern: /\/network-restrictions(?:\/apply)? > answers > .* > required: /,
    reason: "service, Network restrictions: lists that were never set have no status",
  },
  {
    pattern: /\/config\/auth\/sso\/providers\S* > answers > .* > (?:required|properties > disabled): /,
    reason: "service, SSO providers: nested objects have no ids, and a mapping may be empty",
  },
  {
    pattern:
      /\/analytics\/endpoints\/logs > answers > 200 > .* > properties > result > nullable: nothing in the documents/,
    reason: "service, Analytics: the result beside an error is null",
  },
  {
    pattern:
      /^GET \S+\/functions\/\{function_slug\}\/body > answers > 200 > content > application\/(json|octet-stream): /,
    reason: "service, Edge functions: it returns the function's body, which is bytes, not an object",
  },
  {
    pattern:
      /^POST \S+\/database\/query(\/read-only)? > answers > 201 > content > application\/json: nothing in the documents/,
    reason: "service, Edge functions: the query endpoints answer an array of row objects",
  },
  {
    pattern:
      /^GET \S+\/functions\/\{function_slug\}\/body > parameters > header Accept: nothing in the documents/,
    reason: "service, Edge functions: asked for in parts, the body of a function comes in parts",
  },
  {
    pattern:
      /^[A-Z]+ \S+ > answers > .* > additionalProperties: false in the documents, nothing in the table$/,
    reason: "service, Reading answers: unknown keys of an answer are ignored",
  },
  {
    pattern:
      /^(GET|PUT) \S+\/jit-access > answers > .* > (properties > (?:state|appliedSuccessfully|unavailableReason): nothing|required: .*) in the documents/,
    reason: "service, Just-in-time access: newer answers are `{state, …}`, and both are read",
  },
  {
    pattern:
      /^GET \S+\/database\/jit\/list > answers > .* > properties > user_id > nullable: nothing in the documents/,
    reason: "service, Just-in-time access: it is null for people who were invited",
  },
  {
    pattern:
      /^GET \S+\/database\/jit\/list > answers > .* > properties > (?:primary_email|invite_id|expires_at): nothing in the documents/,
    reason: "service, Just-in-time access: newer answers show addresses and invitations",
  },
  {
    pattern:
      /^POST \S+\/database\/jit\/invite > .* > (?:cidr > format: "cidrv[46]" in the documents|role > minLength: nothing in the documents)/,
    reason: "roles are one schema: of the grants, the documents of 2026-06 name no format of networks",
  },
  {
    pattern: /^DELETE \S+\/database\/jit\/invite\/\{invite_id\} > answers > (?:2XX|200): /,
    reason: "its documents do not name the status of success",
  },
  {
    pattern: /\/(?:database\/jit\S*|jit-access) > .* > properties > branches_only: nothing in the documents/,
    reason: "service, Newer fields: a role may be limited to branches",
  },
  {
    pattern:
      /\/network-restrictions(?:\/apply)? > answers > .* > properties > pending_(?:config|requested_at): nothing in the documents/,
    reason: "service, Network restrictions: a change may wait for somebody's approval",
  },
  {
    pattern:
      /\/config\/(?:auth|realtime) > .* > properties > (?:passkey_enabled|webauthn_rp_\w+|presence_enabled): nothing in the documents/,
    reason: "service, Newer fields: a program can declare them, and an older service lacks them",
  },
  {
    pattern:
      /^GET \S+\/upgrade\/eligibility > answers > .* > properties > warnings: nothing in the documents/,
    reason: "service, Newer fields: what an upgrade changes without being blocked by it",
  },
  {
    pattern: /^GET \S+\/database\/backups > answers > .* > properties > id: nothing in the documents/,
    reason: "service, Newer operations: a backup is restored by it",
  },
  {
    pattern: /^PUT \S+\/config\/database\/postgres > body > application\/json > additionalProperties: false/,
    reason:
      "service, Just-in-time access: the running service has further settings, lost when they are not sent back",
  },
  {
    pattern:
      /^DELETE \/v1\/branches\/\{branch_id_or_ref\} > .*query force > schema > default: "true" in the documents/,
    reason: "the parameter is a boolean",
  },
  {
    pattern: /^GET \/v1\/snippets > .*query limit > schema > (minimum: 1|maximum: 100) in the documents/,
    reason:
      "the parameter is a text, on which JSON Schema lays no such bounds; the rule checks the number in it",
  },
  {
    pattern: /^PATCH \S+\/config\/auth > body > .* > (sessions_tags|sms_test_otp) > pattern: /,
    reason: "the same texts match, but in linear time",
  },
  {
    pattern: /\S+\/config\/auth > .* > (sessions_timebox|sessions_inactivity_timeout) > /,
    reason: "service, Auth configuration: they are hours, and fractions are taken and shown",
  },
  {
    pattern: / > properties > (?:preview_project_)?status > enum: .*"PROMOTING"/,
    reason: "service, Projects: a newer state",
  },
  {
    pattern: /^POST \S+\/restart > answers > (?:2XX|200): /,
    reason: "its documents do not name the status of success",
  },
];

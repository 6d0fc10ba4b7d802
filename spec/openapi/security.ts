import type { Operation } from "../operation";

type SecurityJson = Readonly<Record<string, unknown>>;

/** The two kinds of access token (service, Access). */
export function createSecuritySchemes(table: readonly Operation[]): SecurityJson {
  const scopes = [...new Set(table.flatMap(({ scope }) => scope ?? []))].toSorted();
  return {
    accessToken: {
      type: "http",
      scheme: "bearer",
      description: "A personal access token; a fine-grained one needs one list of `x-permissions-any-of`.",
    },
    oauth: {
      type: "oauth2",
      description: "A token issued to an application on behalf of a user.",
      flows: {
        authorizationCode: {
          authorizationUrl: "/v1/oauth/authorize",
          tokenUrl: "/v1/oauth/token",
          refreshUrl: "/v1/oauth/token",
          scopes: Object.fromEntries(scopes.map((scope) => [scope, scope])),
        },
      },
    },
  };
}

/** What a call must carry; nothing where the application's own credentials are in the request. */
export function securityOf(operation: Operation): readonly SecurityJson[] {
  // service, Access: not shown for /v1/oauth/*; those without a permission come before any token.
  if (operation.path.startsWith("/v1/oauth/") && operation.permissions.length === 0) return [];
  return [{ accessToken: [] }, { oauth: operation.scope === undefined ? [] : [operation.scope] }];
}

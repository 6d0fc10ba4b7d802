import { authConfigResponse } from "../../../spec/auth-config-response";
import { newAuthConfig } from "../../../spec/new-project";
import type { AuthConfig } from "../records/auth";

const unset = Object.fromEntries(
  Object.entries(authConfigResponse.shape).map(([name, schema]) => [
    name,
    schema.safeParse(false).success ? false : null,
  ]),
);

/** What a configuration is in which nothing was set. A test compares it with the table, which the compiler cannot. */
export const authConfigDefaults = { ...unset, ...newAuthConfig } as AuthConfig;

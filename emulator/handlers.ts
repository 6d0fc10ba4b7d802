import type { Handlers } from "./handler";
import type { OAuthApps } from "./oauth-apps";
import { oauthHandlers } from "./oauth-handlers";
import { ruleHandlers } from "./rules";

/** Every operation's handler: a table entry without one does not compile. */
export function createHandlers(oauthApps: OAuthApps): Handlers {
  return { ...ruleHandlers, ...oauthHandlers(oauthApps) };
}

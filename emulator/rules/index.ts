import type { Handlers } from "../handler";
import { actionRunHandlers } from "./action-runs";
import { addonHandlers } from "./addons";
import { apiKeyHandlers } from "./api-keys";
import { branchHandlers } from "./branches";
import { customHostnameHandlers } from "./custom-hostname";
import { functionHandlers } from "./functions";
import { organizationHandlers } from "./organizations";
import { pendingHandlers } from "./pending";
import { postgresConfigHandlers } from "./postgres-config";
import { projectHandlers } from "./projects";
import { regionHandlers } from "./regions";
import { secretHandlers } from "./secrets";
import { signingKeyHandlers } from "./signing-keys";
import { ssoProviderHandlers } from "./sso-providers";
import { upgradeHandlers } from "./upgrades";

/** The business rules of every operation that concerns the state: a missing one does not compile. */
export const ruleHandlers: Omit<Handlers, "exchangeToken"> = {
  ...pendingHandlers,
  ...actionRunHandlers,
  ...addonHandlers,
  ...apiKeyHandlers,
  ...branchHandlers,
  ...customHostnameHandlers,
  ...functionHandlers,
  ...organizationHandlers,
  ...postgresConfigHandlers,
  ...projectHandlers,
  ...regionHandlers,
  ...secretHandlers,
  ...signingKeyHandlers,
  ...ssoProviderHandlers,
  ...upgradeHandlers,
};

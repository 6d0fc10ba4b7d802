import { external } from "./external-settings";
import { federationGroups } from "./federation-settings";
import { general } from "./general-settings";
import { hooks } from "./hook-settings";
import { mailer, smtp } from "./mail-settings";
import { protectionGroups } from "./protection-settings";
import { sms } from "./sms-settings";
import { userGroups } from "./user-settings";

/** The settings by their property names. */
export const authSettings = {
  ...general,
  smtp,
  mailer,
  ...userGroups,
  hooks,
  ...protectionGroups,
  sms,
  external,
  ...federationGroups,
};

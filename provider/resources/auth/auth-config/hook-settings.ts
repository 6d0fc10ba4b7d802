import type { z } from "zod";
import { flag, group, secretText, text, type SettingsOf } from "./field-kinds";

const fields = {
  enabled: flag("the hook is called; requires `uri`"),
  uri: text("What is called: an `https` URL, or `pg-functions://postgres/<schema>/<function>`"),
  secrets: secretText("Secrets that sign the calls of an `https` URL, separated by `|`"),
} satisfies SettingsOf<"hook_send_sms_">;

const hook = group("Hook", "A function that the auth service calls.", fields);

/** Every hook, by the flag that each has. */
type Hooks = {
  readonly [K in keyof SettingsOf<"hook_"> as K extends `${infer Hook}Enabled` ? Hook : never]: z.ZodType;
};

export const hooks = group("Hooks", "Functions that the auth service calls to decide or to send.", {
  customAccessToken: hook,
  mfaVerificationAttempt: hook,
  passwordVerificationAttempt: hook,
  sendSms: hook,
  sendEmail: hook,
  beforeUserCreated: hook,
  afterUserCreated: hook,
} satisfies Hooks);

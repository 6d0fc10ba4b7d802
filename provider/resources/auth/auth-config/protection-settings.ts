import { z } from "zod";
import { updateAuthConfigBody } from "../../../../spec/auth-config-body";
import { count, flag, group, secretText, textLike, type SettingsNamed, type SettingsOf } from "./field-kinds";

const { shape } = updateAuthConfigBody;

const rateLimits = {
  anonymousUsers: count("Anonymous sign-ins per hour and IP address", 1),
  emailSent: count("Emails sent per hour", 1),
  smsSent: count("Text messages sent per hour", 1),
  verify: count("Verifications of codes and links per five minutes and IP address", 1),
  tokenRefresh: count("Refreshes of tokens per five minutes and IP address", 1),
  otp: count("Requests for a one-time password per five minutes and IP address", 1),
  web3: count("Wallet sign-ins per five minutes and IP address", 1),
} satisfies SettingsOf<"rate_limit_">;

const password = {
  minLength: count("Minimum length of a password", 6, 32_767),
  hibpEnabled: flag("passwords known from leaks are refused"),
  requiredCharacters: textLike(
    shape.password_required_characters
      .unwrap()
      .unwrap()
      .meta({
        id: "AuthConfigRequiredCharacters",
        description: "Classes of characters that a password needs, separated by `:`.",
        valueNames: {
          "": "None",
          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789": "LettersDigits",
          "abcdefghijklmnopqrstuvwxyz:ABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789": "LowerUpperLettersDigits",
          "abcdefghijklmnopqrstuvwxyz:ABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789:!@#$%^&*()_+-=[]{};'\\\\:\"|<>?,./`~":
            "LowerUpperLettersDigitsSymbols",
        },
      })
      .describe(
        "Classes of characters of which a password needs one each, separated by `:`; empty for none.",
      ),
  ),
} satisfies SettingsOf<"password_">;

const security = {
  captchaEnabled: flag(
    "a captcha protects signing in and up; requires `captchaProvider` and `captchaSecret`",
  ),
  captchaProvider: z
    .enum(["turnstile", "hcaptcha"])
    .meta({ id: "AuthConfigCaptchaProvider", description: "Provider of the captcha." })
    .describe("Provider of the captcha: `turnstile` or `hcaptcha`.")
    .optional(),
  captchaSecret: secretText("Secret key of the captcha"),
  manualLinkingEnabled: flag("users can link identities to their account themselves"),
  refreshTokenRotationEnabled: flag("each refresh token can be used once"),
  refreshTokenReuseInterval: count("Time in seconds in which a used refresh token is still accepted"),
  updatePasswordRequireReauthentication: flag("changing a password requires a recent sign-in"),
  svcForwardedForEnabled: flag(
    "the address of the client is taken from the forwarding header of trusted callers",
  ),
} satisfies SettingsOf<"security_"> & SettingsNamed<"refresh_token_rotation_enabled">;

export const protectionGroups = {
  rateLimits: group("RateLimits", "Limits of the auth service, which protect it from abuse.", rateLimits),
  password: group("Password", "What passwords must be like.", password),
  security: group("Security", "Captcha, refresh tokens and reauthentication.", security),
};

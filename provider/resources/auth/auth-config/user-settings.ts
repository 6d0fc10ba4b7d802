import { z } from "zod";
import { updateAuthConfigBody } from "../../../../spec/auth-config-body";
import { formed } from "../../../define/markers";
import { count, flag, group, text, textLike, type SettingsOf } from "./field-kinds";

const { shape } = updateAuthConfigBody;

const mfa = {
  maxEnrolledFactors: count("Maximum number of factors that a user can enroll"),
  totpEnrollEnabled: flag("users can enroll an authenticator application"),
  totpVerifyEnabled: flag("users can sign in with an authenticator application"),
  webAuthnEnrollEnabled: flag("users can enroll a WebAuthn factor; requires the add-on `auth_mfa_web_authn`"),
  webAuthnVerifyEnabled: flag(
    "users can sign in with a WebAuthn factor; requires the add-on `auth_mfa_web_authn`",
  ),
  phoneEnrollEnabled: flag("users can enroll a phone as a factor; requires the add-on `auth_mfa_phone`"),
  phoneVerifyEnabled: flag(
    "users can sign in with a phone as a factor; requires the add-on `auth_mfa_phone`",
  ),
  phoneMaxFrequency: count("Minimum time in seconds between two codes to one phone", 0, 32_767),
  phoneOtpLength: count("Number of digits of a code", 0, 32_767),
  phoneTemplate: text("Text of the message with the code; `{{ .Code }}` stands for the code"),
} satisfies SettingsOf<"mfa_">;

/** Fractions are allowed (service, Auth configuration). */
const hours = (description: string) => z.number().min(0).describe(description).optional();

const sessions = {
  timebox: hours("Maximum lifetime of a session in hours, such as `24` or `0.5`; 0 means no limit."),
  inactivityTimeout: hours("Time in hours after which an unused session ends; 0 means never."),
  singlePerUser: flag("a user has one session at a time, so that signing in ends the one before"),
  tags: textLike(
    formed(
      shape.sessions_tags.unwrap().unwrap(),
      "words of letters, digits, `-` and `_`, separated by commas",
      "web, mobile",
    ).describe(
      "Tags of clients that each have a session of their own where `singlePerUser` is set, separated by commas.",
    ),
  ),
} satisfies SettingsOf<"sessions_">;

export const userGroups = {
  mfa: group("Mfa", "Multi-factor authentication.", mfa),
  sessions: group("Sessions", "How long sessions last.", sessions),
};

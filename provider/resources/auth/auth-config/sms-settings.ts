import { z } from "zod";
import { updateAuthConfigBody } from "../../../../spec/auth-config-body";
import { comparedBy, formed, secret } from "../../../define/markers";
import {
  count,
  flag,
  group,
  secretText,
  text,
  textLike,
  type PrefixedField,
  type PrefixSettings,
} from "./field-kinds";

const { shape } = updateAuthConfigBody;

const parseInstant = (value: unknown): unknown => {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? value : at;
};

const vendors = {
  vendorA: group("SmsVendorA", "Account at vendor A.", {
    accessKey: secretText("Access key"),
    originator: text("Sender of the messages"),
  } satisfies PrefixSettings<"sms_vendorA_">),
  vendorB: group("SmsVendorB", "Account at vendor B.", {
    apiKey: secretText("API key"),
    sender: text("Sender of the messages"),
  } satisfies PrefixSettings<"sms_vendorB_">),
  vendorC: group("SmsVendorC", "Account at vendor C, for messages and for its verification service.", {
    accountSid: text("Identifier of the account"),
    authToken: secretText("Token of the account"),
    contentSid: text("Identifier of the content template"),
    messageServiceSid: text("Identifier of the messaging service"),
    verifyAccountSid: text("Identifier of the account, for `vendorC_verify`"),
    verifyAuthToken: secretText("Token of the account, for `vendorC_verify`"),
    verifyMessageServiceSid: text("Identifier of the verification service, for `vendorC_verify`"),
  } satisfies PrefixSettings<"sms_vendorC_">),
  vendorD: group("SmsVendorD", "Account at vendor D.", {
    apiKey: text("API key"),
    apiSecret: secretText("API secret"),
    sender: text("Sender of the messages"),
  } satisfies Omit<PrefixSettings<"sms_vendorD_">, "from"> & {
    sender: PrefixSettings<"sms_vendorD_">["from"];
  }),
};

const general = {
  provider: z
    .enum(["vendorA", "vendorB", "vendorC", "vendorC_verify", "vendorD"])
    .meta({ id: "AuthConfigSmsProvider", description: "Vendor that sends the text messages." })
    .describe("Vendor that sends the messages. Declare its account in the group of the same name.")
    .optional(),
  autoconfirm: flag("phone numbers are confirmed without a message"),
  maxFrequency: count("Minimum time between two messages to the same phone, in seconds", 0, 32_767),
  otpExp: count("Lifetime of a code, in seconds"),
  otpLength: count("Number of digits of a code", 0, 32_767),
  template: text("Text of the message; `{{ .Code }}` is the code"),
  testOtp: textLike(
    secret(
      formed(
        shape.sms_test_otp.unwrap().unwrap(),
        "phone numbers with their codes, separated by commas",
        "4915112345678=123456",
      ).describe("Phone numbers with fixed codes for tests: `<number>=<code>`, separated by commas."),
    ),
  ),
  testOtpValidUntil: comparedBy(
    z.iso
      .datetime({ offset: true })
      .describe("Time until which the codes of `testOtp` are accepted, ISO 8601."),
    parseInstant,
  ).optional(),
} satisfies PrefixSettings<"sms_", PrefixedField<"sms_vendor">>;

type SmsVendor =
  PrefixedField<"sms_vendor"> extends infer N ? (N extends `sms_${infer V}_${string}` ? V : never) : never;

export const sms = group("Sms", "Text messages that the auth service sends.", {
  ...general,
  ...(vendors satisfies { readonly [V in SmsVendor]: z.ZodType }),
});

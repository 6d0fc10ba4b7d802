import { z } from "zod";
import { asText } from "../../../define/markers";
import {
  count,
  flag,
  group,
  secretText,
  text,
  textFile,
  textLike,
  type PrefixedField,
  type PrefixSettings,
} from "./field-kinds";

export const smtp = group(
  "Smtp",
  'SMTP server that sends the emails. `host: ""` removes the server and all its settings.',
  {
    host: text("Host name of the server; empty for the service's own server, which empties all of `smtp`"),
    port: asText(count("Port of the server", 1, 65_535)),
    user: text("User name at the server"),
    password: secretText("Password at the server"),
    adminEmail: textLike(z.email().describe("Address from which the emails are sent.")),
    senderName: text("Name of the sender"),
    maxFrequency: count("Minimum time between two emails to the same user, in seconds", 0, 32_767),
  } satisfies Omit<PrefixSettings<"smtp_">, "pass" | "port"> & {
    password: PrefixSettings<"smtp_">["pass"];
    port: z.ZodType<number | undefined>;
  },
);

const template = group("MailerTemplate", "One kind of email.", {
  subject: text("Subject of the email"),
  content: text("Body of the email, an HTML template"),
  contentFile: textFile("content"),
});

/** The kinds of which there are subjects; each has a content as well. */
type MailKind = PrefixedField<"mailer_subjects_"> extends `mailer_subjects_${infer K}` ? K : never;
type MailContentKind =
  PrefixedField<"mailer_templates_"> extends `mailer_templates_${infer K}_content` ? K : never;

/** Two tables of the API are one here, which they can be while their kinds are the same. */
type MailTemplates = [MailKind, MailContentKind] extends [MailContentKind, MailKind]
  ? { readonly [K in keyof PrefixSettings<"mailer_subjects_">]: z.ZodType }
  : never;

const templates = {
  invite: template,
  confirmation: template,
  recovery: template,
  emailChange: template,
  magicLink: template,
  reauthentication: template,
  passwordChangedNotification: template,
  emailChangedNotification: template,
  phoneChangedNotification: template,
  mfaFactorEnrolledNotification: template,
  mfaFactorUnenrolledNotification: template,
  identityLinkedNotification: template,
  identityUnlinkedNotification: template,
} satisfies MailTemplates;

const notifications = {
  passwordChangedEnabled: flag("users are notified when their password changes"),
  emailChangedEnabled: flag("users are notified when their email address changes"),
  phoneChangedEnabled: flag("users are notified when their phone number changes"),
  mfaFactorEnrolledEnabled: flag("users are notified when a factor is enrolled"),
  mfaFactorUnenrolledEnabled: flag("users are notified when a factor is unenrolled"),
  identityLinkedEnabled: flag("users are notified when an identity is linked"),
  identityUnlinkedEnabled: flag("users are notified when an identity is unlinked"),
} satisfies PrefixSettings<"mailer_notifications_">;

const flags = {
  allowUnverifiedEmailSignIns: flag("users can sign in before their email address is verified"),
  autoconfirm: flag("email addresses are confirmed without an email"),
  secureEmailChangeEnabled: flag(
    "a change of the email address must be confirmed at both the old and the new address",
  ),
  otpExp: count("Lifetime of links and codes in emails, in seconds"),
  otpLength: count("Number of digits of a code in an email", 6, 10),
} satisfies PrefixSettings<
  "mailer_",
  PrefixedField<"mailer_subjects_" | "mailer_templates_" | "mailer_notifications_">
>;

export const mailer = group("Mailer", "Emails that the auth service sends.", {
  ...flags,
  templates: group("MailerTemplates", "Subjects and contents of the emails by kind.", templates),
  notifications: group(
    "MailerNotifications",
    "Emails that notify users of changes to their account.",
    notifications,
  ),
});

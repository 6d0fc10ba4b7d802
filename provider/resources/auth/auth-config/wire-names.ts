/** What does not follow from a property's path; of a group it is the prefix of what is in it. */
export const authWireNames = {
  hooks: "hook",
  rateLimits: "rate_limit",
  "smtp.password": "smtp_pass",
  "security.refreshTokenRotationEnabled": "refresh_token_rotation_enabled",
  "oauthServer.customOauthEnabled": "custom_oauth_enabled",
  // The vendors' letters are capitals on the wire.
  "sms.vendorA": "sms_vendorA",
  "sms.vendorB": "sms_vendorB",
  "sms.vendorC": "sms_vendorC",
  "sms.vendorD": "sms_vendorD",
  "sms.vendorD.sender": "sms_vendorD_from",
  // Subjects and contents are two tables on the wire.
  "mailer.templates.invite.subject": "mailer_subjects_invite",
  "mailer.templates.confirmation.subject": "mailer_subjects_confirmation",
  "mailer.templates.recovery.subject": "mailer_subjects_recovery",
  "mailer.templates.emailChange.subject": "mailer_subjects_email_change",
  "mailer.templates.magicLink.subject": "mailer_subjects_magic_link",
  "mailer.templates.reauthentication.subject": "mailer_subjects_reauthentication",
  "mailer.templates.passwordChangedNotification.subject": "mailer_subjects_password_changed_notification",
  "mailer.templates.emailChangedNotification.subject": "mailer_subjects_email_changed_notification",
  "mailer.templates.phoneChangedNotification.subject": "mailer_subjects_phone_changed_notification",
  "mailer.templates.mfaFactorEnrolledNotification.subject":
    "mailer_subjects_mfa_factor_enrolled_notification",
  "mailer.templates.mfaFactorUnenrolledNotification.subject":
    "mailer_subjects_mfa_factor_unenrolled_notification",
  "mailer.templates.identityLinkedNotification.subject": "mailer_subjects_identity_linked_notification",
  "mailer.templates.identityUnlinkedNotification.subject": "mailer_subjects_identity_unlinked_notification",
} as const;

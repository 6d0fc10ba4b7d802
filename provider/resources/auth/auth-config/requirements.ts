import { defineProblem } from "../../../client/errors/problem";
import type { CheckFailure } from "../../../define/resource";
import { isSet, type SettingValues } from "../../../settings/mapping/original-values";
import { inputNameOf, valueAt } from "../../../settings/mapping/setting-fields";
import { authSettings } from "./settings";

type UnknownPredicate = (name: string) => boolean;

/** Settings without which another one has no effect, or is refused. */
export interface SettingRequirement {
  /** The setting that needs others, and what it has then. */
  readonly of: string;
  readonly when: (value: unknown, inputs: SettingValues) => boolean;
  /** How a message says that it has it. */
  readonly says: string;
  readonly needs: readonly string[];
  /** Inputs beside those of the settings above that decide whether it holds. */
  readonly dependsOn?: readonly string[];
}

const isOn = (value: unknown): boolean => value === true;

function createSwitchRequirement(of: string, ...needs: string[]): SettingRequirement {
  return { of, when: isOn, says: `\`${of}\` is true`, needs };
}

const hooks: readonly SettingRequirement[] = listGroups("hooks").flatMap((hook) => [
  createSwitchRequirement(`hooks.${hook}.enabled`, `hooks.${hook}.uri`),
  {
    of: `hooks.${hook}.uri`,
    when: (uri, inputs) =>
      typeof uri === "string" && /^https?:/.test(uri) && isOn(valueAt(inputs, `hooks.${hook}.enabled`)),
    says: `\`hooks.${hook}.uri\` is a URL`,
    needs: [`hooks.${hook}.secrets`],
  },
]);

/** Providers that verify what an application's own SDK brings. */
const WITHOUT_SECRET = ["idp01", "idp09"];

const providers: readonly SettingRequirement[] = listGroups("external").map((slot) => {
  const secret = WITHOUT_SECRET.includes(slot) ? [] : [`external.${slot}.secret`];
  return createSwitchRequirement(`external.${slot}.enabled`, `external.${slot}.clientId`, ...secret);
});

const vendors = {
  vendorA: ["vendorA.accessKey", "vendorA.originator"],
  vendorB: ["vendorB.apiKey", "vendorB.sender"],
  vendorC: ["vendorC.accountSid", "vendorC.authToken", "vendorC.messageServiceSid"],
  vendorC_verify: ["vendorC.verifyAccountSid", "vendorC.verifyAuthToken", "vendorC.verifyMessageServiceSid"],
  vendorD: ["vendorD.apiKey", "vendorD.apiSecret", "vendorD.sender"],
};

/** The hook sends in place of a vendor. */
const isSentByVendor = (inputs: SettingValues): boolean =>
  isOn(inputs["externalPhoneEnabled"]) && !isOn(valueAt(inputs, "hooks.sendSms.enabled"));

const sms: readonly SettingRequirement[] = [
  {
    of: "externalPhoneEnabled",
    when: (_, inputs) => isSentByVendor(inputs),
    says: "`externalPhoneEnabled` is true and the hook `sendSms` is not enabled",
    needs: ["sms.provider"],
    dependsOn: ["hooks"],
  },
  ...Object.entries(vendors).map(([vendor, needs]): SettingRequirement => ({
    of: "sms.provider",
    when: (provider, inputs) => provider === vendor && isSentByVendor(inputs),
    says: `\`sms.provider\` is \`${vendor}\``,
    needs: needs.map((name) => `sms.${name}`),
    dependsOn: ["externalPhoneEnabled", "hooks"],
  })),
];

/** Every rule by which one setting needs others. */
export const requirements: readonly SettingRequirement[] = [
  ...hooks,
  ...providers,
  ...sms,
  createSwitchRequirement("security.captchaEnabled", "security.captchaProvider", "security.captchaSecret"),
  {
    of: "smtp.host",
    when: (host) => typeof host === "string" && host !== "",
    says: "`smtp.host` is set",
    needs: ["smtp.port", "smtp.user", "smtp.password", "smtp.adminEmail"],
  },
];

export const problems = {
  required: defineProblem({
    says: "is required because {says}. {remedy}",
    means: "A setting has no effect, or is rejected, without another one.",
    remedy: "Declare `{path}`",
  }),
  enrollWithoutVerify: defineProblem({
    says: "cannot be true while `{verify}` is false: users could enroll a factor but not sign in with it. {remedy}",
    means: "Users could enroll a factor but not sign in with it.",
    remedy: "Declare `{verify}: true`",
  }),
  limitWithoutSmtp: defineProblem({
    says: 'requires an SMTP server, but `smtp.host` is "". {remedy}',
    means: "The service accepts an email limit only for projects with their own SMTP server.",
    remedy: "Remove the limit, or declare `smtp`",
  }),
  secretsOfFunction: defineProblem({
    says: "applies only to hooks at a URL, but `{uri}` is a database function. {remedy}",
    means: "Hooks in the database are called without a signature.",
    remedy: "Remove the secrets",
  }),
};

/** What a setting cannot have beside another one; neither is at fault where one is not declared. */
const contradictions = [
  ...Object.keys(authSettings.smtp.unwrap().shape)
    .filter((name) => name !== "host")
    .map((name) => ({
      of: `smtp.${name}`,
      when: isSet,
      beside: "smtp.host",
      is: (value: unknown) => value === "",
      reason: "remove it: an empty `smtp.host` empties it on the service",
    })),
  ...["totp", "phone", "webAuthn"].map((factor) => ({
    of: `mfa.${factor}EnrollEnabled`,
    when: isOn,
    beside: `mfa.${factor}VerifyEnabled`,
    is: (value: unknown) => value === false,
    reason: problems.enrollWithoutVerify.message({ verify: `mfa.${factor}VerifyEnabled` }),
  })),
  {
    of: "rateLimits.emailSent",
    when: isSet,
    beside: "smtp.host",
    is: (value: unknown) => value === "",
    reason: problems.limitWithoutSmtp.message(),
  },
  ...listGroups("hooks").map((hook) => ({
    of: `hooks.${hook}.secrets`,
    when: (value: unknown) => isSet(value) && value !== "",
    beside: `hooks.${hook}.uri`,
    is: (uri: unknown) => typeof uri === "string" && uri.startsWith("pg-functions:"),
    reason: problems.secretsOfFunction.message({ uri: `hooks.${hook}.uri` }),
  })),
];

/**
 * What the program leaves out and needs. A project that is there may have it already, so it is a fault only of a project that
 * is still to be made, and of a change: what was needed before and was not declared either is on the service.
 */
export function checkRequirements(
  inputs: SettingValues,
  isUnknown: UnknownPredicate,
  before: SettingValues | undefined,
): CheckFailure[] {
  const isOpen = (paths: readonly string[]): boolean => paths.map(inputNameOf).some(isUnknown);
  const mayBeThere = before === undefined && !isUnknown("projectRef");
  const lacking = (mayBeThere ? [] : requirements).flatMap(({ of, when, says, needs, dependsOn = [] }) => {
    if (isOpen([of, ...needs, ...dependsOn]) || !when(valueAt(inputs, of), inputs)) return [];
    const wasNeeded = before !== undefined && when(valueAt(before, of), before);
    return needs
      .filter((path) => isMissing(inputs, path) && !(wasNeeded && isMissing(before, path)))
      .map((path) => ({ path, reason: problems.required.message({ says, path }) }));
  });
  const contradicting = contradictions
    .filter(({ of, beside }) => !isOpen([of, beside]))
    .filter(({ of, when, beside, is }) => when(valueAt(inputs, of)) && is(valueAt(inputs, beside)))
    .map(({ of, reason }) => ({ path: of, reason }));
  return [...lacking, ...contradicting];
}

function isMissing(inputs: SettingValues, path: string): boolean {
  const value = valueAt(inputs, path);
  return !isSet(value) || value === "";
}

function listGroups(group: "hooks" | "external"): string[] {
  return Object.keys(authSettings[group].unwrap().shape);
}

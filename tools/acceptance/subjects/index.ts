import { formatCosts } from "../costs";
import { actionSubjects } from "./actions";
import { baseSubjects, projectSubject } from "./base";
import { configurationSubjects } from "./configurations";
import { needs, needsOf } from "./needs";
import { objectSubjects } from "./objects";
import type { CostItem, TrialContext, Subject } from "./subject";

/** Everything that can be tried in the project, those of the first release first. */
export const allSubjects: readonly Subject[] = [
  ...baseSubjects,
  ...configurationSubjects,
  ...objectSubjects,
  ...actionSubjects,
];

/** The types that no run tries, and why. */
export const NEVER_TRIED: Readonly<Record<string, string>> = {
  Organization: "the API cannot delete an organization",
  OrganizationWebhookEndpoint: "it would change the organization",
  ProjectClaim: "it hands the project to another organization",
  CustomHostnameActivation: "it needs DNS records that only you can make while the run waits",
  BackupRestore: "a project of less than a day has no daily backup",
  ProjectRestart: "it takes the services from what is tried beside it",
  RestoreCancellation: "it ends a restore that does not come to its end by itself",
};

/** The types that can be tried; `Project` is, in every run. */
export function knownTypes(): string[] {
  return [projectSubject, ...allSubjects].map(({ type }) => type);
}

export function subjectsOf(types: readonly string[]): readonly Subject[] {
  return allSubjects.filter(({ type }) => types.includes(type));
}

/** What a subject costs beside the project, with what it needs. */
export function costsOf(subject: Subject): CostItem[] {
  return [
    ...new Set([...(subject.costs ?? []), ...needsOf(subject).flatMap((name) => needs[name].costs ?? [])]),
  ];
}

/** Why a subject is not tried in this context; undefined for one that is. */
export function whyLeftOut(
  subject: Subject,
  context: Pick<TrialContext, "hostname" | "withCost" | "plan">,
): string | undefined {
  const own = subject.leftOut?.(context);
  if (own !== undefined) return own;
  const costs = costsOf(subject);
  if (costs.length > 0 && !context.withCost)
    return `it costs extra, for ${formatCosts(costs)}: pass --with-cost`;
  if (context.plan === "free" && (subject.isPaidFor === true || costs.length > 0))
    return "the plan of the organization is free";
  return undefined;
}

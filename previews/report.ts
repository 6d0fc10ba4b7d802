import { alignColumns } from "./aligned";
import { formatIntegrationBranch, SWITCH_ONE_OFF } from "./preview-branch";
import type { PreviewStatus } from "./status";
import type { Swept } from "./sweep";

/** The closed pull requests whose previews stay for their age. */
interface Kept {
  readonly young: readonly number[];
  readonly graceMinutes: number;
  /** Whether the list of pull requests is not believed, which is said beside it. */
  readonly isRefused: boolean;
}

const UNDONE: readonly Swept["outcome"][] = ["failed", "not known", "not the preview"];

/** Whether nothing is left that should have gone. */
export function isSwept(swept: readonly Swept[]): boolean {
  return swept.every(({ outcome }) => !UNDONE.includes(outcome));
}

/** What `sweep` prints for people. */
export function formatSweep(swept: readonly Swept[], { young, graceMinutes, isRefused }: Kept): string {
  const kept =
    young.length === 0
      ? ""
      : `Kept, as younger than ${graceMinutes} minutes: the ${young.length === 1 ? "preview of closed pull request" : "previews of closed pull requests"} ${young.join(", ")}.\n`;
  if (swept.length === 0) return kept || (isRefused ? "" : "No preview is stale.\n");
  const rows = swept.map(({ name, ref, reason, outcome, error }) => [
    name,
    ref ?? "only a stack",
    reason,
    error === undefined ? outcome : `${outcome}: ${toOneLine(error)}`,
  ]);
  const hint = swept.some(({ outcome }) => outcome === "would be removed")
    ? "Nothing was removed. Pass --yes to remove them.\n"
    : "";
  return formatColumns(["preview", "ref", "reason", "outcome"], rows) + kept + hint;
}

function toOneLine(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .join(" ");
}

/** What `status` prints for people. */
export function formatStatus(previews: readonly PreviewStatus[]): string {
  if (previews.length === 0) return "There are no previews.\n";
  const rows = previews.map((one) => [
    one.name,
    one.ref,
    one.isOpen === undefined
      ? String(one.pullRequest)
      : `${one.pullRequest} ${one.isOpen ? "open" : "closed"}`,
    one.gitBranch ?? "–",
    [one.status, one.projectStatus].filter((state) => state !== undefined).join(", ") || "–",
    `${one.ageHours} h`,
    one.ttlHours === undefined ? "–" : `${one.ttlHours} h`,
    one.projectStatus === "INACTIVE" ? "paused: no compute" : `compute for ${one.ageHours} h`,
  ]);
  const doubled = previews.flatMap(({ pullRequest, integrationBranch: other }) =>
    other === undefined ? [] : [`${formatIntegrationBranch(pullRequest, other)}\n`],
  );
  return [
    formatColumns(["branch", "ref", "pull request", "git branch", "state", "age", "lasts", "cost"], rows),
    ...doubled,
    ...(doubled.length === 0 ? [] : [`${SWITCH_ONE_OFF}\n`]),
  ].join("");
}

function formatColumns(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return `${alignColumns([head, ...rows]).join("\n")}\n`;
}

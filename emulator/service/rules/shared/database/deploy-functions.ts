import type { World } from "../../../world/world";
import { requireRoomFor } from "../function-quota";
import type { ActionRunRecord } from "../../../world/records/branch";
import type { ProjectRecord } from "../../../world/records/project";
import type { FunctionRecord } from "../../../world/records/functions";
import { Refusal } from "../../../answers/refusal";

interface BranchDeployment {
  readonly from: ProjectRecord;
  readonly to: ProjectRecord;
  /** When the run did it, where that is looked at later. */
  readonly at?: number;
}

/** Lets the run's step `deploy` bring over what is new or differs; what only the target has stays. */
export function deployFunctions(world: World, run: ActionRunRecord, deployment: BranchDeployment): void {
  const { from, to, at = world.clock.now() } = deployment;
  if (run.failure?.step === "deploy") return;
  const changed = [...from.functions.values()].filter(
    (record) => codeOf(record) !== codeOf(to.functions.get(record.slug)),
  );
  try {
    requireRoomFor(
      world,
      to,
      changed.map(({ slug }) => slug),
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    run.failure = { step: "deploy", log: error.message };
    return;
  }
  for (const record of changed) {
    const before = to.functions.get(record.slug);
    to.functions.set(record.slug, {
      ...record,
      id: before?.id ?? world.newId(),
      version: (before?.version ?? 0) + 1,
      createdAt: before?.createdAt ?? at,
      updatedAt: at,
    });
    const bundle = record.ezbrSha256 === null ? undefined : from.bundles.get(record.ezbrSha256);
    if (record.ezbrSha256 !== null && bundle !== undefined) to.bundles.set(record.ezbrSha256, bundle);
    run.notes.push({ step: "deploy", text: `Deployed function ${record.slug}` });
  }
}

/** All of a function but its identity in its project. */
function codeOf(record: FunctionRecord | undefined): string {
  if (record === undefined) return "";
  return JSON.stringify({ ...record, id: "", version: 0, createdAt: 0, updatedAt: 0 });
}

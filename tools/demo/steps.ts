import type { ManagementClient } from "../../provider/client";
import type { ChangeSummary } from "../engine/engine-events";
import type { OperationResult, Workspace } from "../engine/workspace";
import { editsBySomebodyElse, type Edit } from "./edits";
import { callFaults, driftIn, findFaults, RESOURCE_TYPES } from "./expectations";
import { heading, type Row } from "./report";
import type { Service } from "./service";

export interface Demo {
  readonly service: Service;
  readonly workspace: Workspace;
  readonly client: ManagementClient;
  readonly projectName: string;
  readonly say: (line: string) => void;
}

/** Plays the story and returns a row for each step; later steps are left out once one went wrong. */
export async function playSteps(demo: Demo): Promise<Row[]> {
  const rows: Row[] = [];
  const resourceCount = RESOURCE_TYPES.length - (demo.service.customHostname === undefined ? 1 : 0);
  const stackAndAll = resourceCount + 1;
  let edits: Edit[] = [];
  const steps: (() => Promise<Row>)[] = [
    () =>
      engineStep(
        demo,
        "preview",
        `What would be made: ${resourceCount} resources of nine kinds. No call is made for that.`,
        {
          run: () => demo.workspace.preview(shown(demo)),
          counts: { create: stackAndAll },
          callsAtMost: 0,
        },
      ),
    () =>
      engineStep(
        demo,
        "up",
        "Make all of it: the project first, the rest beside each other once it is healthy.",
        {
          run: () => demo.workspace.up(shown(demo)),
          counts: { create: stackAndAll },
        },
      ),
    () =>
      engineStep(demo, "up, again", "Nothing changed, so nothing happens: not one call.", {
        run: () => demo.workspace.up(shown(demo)),
        counts: { same: stackAndAll, create: 0, update: 0, delete: 0, replace: 0 },
        callsAtMost: 0,
      }),
    async () => {
      edits = await prepareEdits(demo);
      return editStep(demo, edits);
    },
    () =>
      engineStep(
        demo,
        "refresh",
        "Pulumi looks at the service: every edit shows up, with old and new value.",
        {
          run: () => demo.workspace.refresh({ ...shown(demo), extraArgs: ["--diff"] }),
          counts: { update: edits.filter(({ property }) => property !== undefined).length, delete: 1 },
          also: (result) => missedEdits(edits, result),
        },
      ),
    () =>
      engineStep(demo, "up, to repair", "The program is right and the service is put back.", {
        run: () => demo.workspace.up(shown(demo)),
        counts: { create: 1, update: edits.length - 1, delete: 0, replace: 0 },
      }),
    () =>
      engineStep(demo, "refresh, again", "Nothing differs any more.", {
        run: () => demo.workspace.refresh(shown(demo)),
        counts: { update: 0, delete: 0, same: stackAndAll },
      }),
    () =>
      engineStep(demo, "destroy", "Everything goes, and the service is empty.", {
        run: () => demo.workspace.destroy(shown(demo)),
        counts: { delete: stackAndAll },
        also: () => demo.service.leftovers().map((left) => `still there: ${left}`),
      }),
  ];
  for (const step of steps) {
    const row = await step();
    rows.push(row);
    for (const fault of row.faults) demo.say(`  ✗ ${fault}`);
    if (row.faults.length > 0) break;
  }
  return rows;
}

interface EngineStep {
  readonly run: () => Promise<OperationResult>;
  readonly counts: Partial<ChangeSummary>;
  readonly callsAtMost?: number;
  readonly also?: (result: OperationResult) => readonly string[];
}

async function engineStep(demo: Demo, step: string, explanation: string, plan: EngineStep): Promise<Row> {
  demo.say(heading(`pulumi ${step}`));
  demo.say(explanation);
  demo.service.clearCalls();
  const result = await plan.run();
  const apiCalls = demo.service.countCalls();
  const faults = [
    ...findFaults(result, plan.counts),
    ...(plan.callsAtMost === undefined ? [] : callFaults(apiCalls, plan.callsAtMost)),
    ...(plan.also?.(result) ?? []),
  ];
  return {
    step,
    resources: describeChanges(result.summary),
    apiCalls,
    seconds: result.durationMs / 1_000,
    faults,
  };
}

async function prepareEdits({ workspace, client, projectName }: Demo): Promise<Edit[]> {
  const { ref } = await workspace.outputs();
  if (typeof ref !== "string") throw new Error("The stack has no output `ref`.");
  return editsBySomebodyElse(client, { projectRef: ref, projectName });
}

async function editStep(demo: Demo, edits: readonly Edit[]): Promise<Row> {
  demo.say(heading("somebody edits five resources by hand"));
  demo.service.clearCalls();
  const startedAt = performance.now();
  for (const { title, apply } of edits) {
    demo.say(`  • ${title}`);
    await apply();
  }
  return {
    step: "edits by hand",
    resources: `${edits.length} changed outside`,
    apiCalls: demo.service.countCalls(),
    seconds: (performance.now() - startedAt) / 1_000,
    faults: [],
  };
}

function missedEdits(edits: readonly Edit[], result: OperationResult): string[] {
  const drifts = driftIn(result.events);
  return edits.flatMap(({ type, property, title }) => {
    const found = drifts.find((drift) => drift.type === type);
    if (property === undefined) return found?.deleted === true ? [] : [`not shown as deleted: ${title}`];
    const change = found?.changes[property];
    return change === undefined || change.old === undefined || change.new === undefined
      ? [`no old and new value of ${type}.${property} shown: ${title}`]
      : [];
  });
}

export function describeChanges(summary: ChangeSummary): string {
  const words: [keyof ChangeSummary, string][] = [
    ["create", "created"],
    ["update", "updated"],
    ["replace", "replaced"],
    ["delete", "deleted"],
    ["same", "unchanged"],
  ];
  const parts = words.flatMap(([kind, word]) => (summary[kind] > 0 ? [`${summary[kind]} ${word}`] : []));
  return parts.length === 0 ? "none" : parts.join(", ");
}

function shown({ say }: Demo): { onLine: (line: string) => void } {
  return { onLine: (line) => line.trim() !== "" && say(`  │ ${line}`) };
}

import type { ManagementClient } from "../../provider/client";
import type { Workspace } from "../engine/workspace";
import { editsBySomebodyElse, type Edit } from "./edits";
import { driftIn, RESOURCE_TYPES } from "./expectations";
import { playSteps as playAll, shownTo, type Done, type Row, type Say, type Step } from "./runner";
import type { Service } from "./service";

export interface Demo {
  readonly service: Service;
  readonly workspace: Workspace;
  readonly client: ManagementClient;
  readonly projectName: string;
  readonly say: Say;
}

export function playSteps(demo: Demo): Promise<Row[]> {
  return playAll(stepsOf(demo), demo.service, demo.say);
}

/** The quickstart is made, edited by somebody else, repaired and destroyed. */
function stepsOf({ service, workspace, client, projectName, say }: Demo): Step[] {
  const resourceCount = RESOURCE_TYPES.length - (service.customHostname === undefined ? 1 : 0);
  const all = resourceCount + 1;
  const shown = shownTo(say);
  const edits = editsBySomebodyElse(client, projectName);
  const command = (title: string, step: Omit<Step, "title" | "heading">): Step => ({
    title,
    heading: `pulumi ${title}`,
    ...step,
  });
  return [
    command("preview", {
      says: `What would be made: ${resourceCount} resources of nine kinds. No call is made for that.`,
      run: () => workspace.preview(shown),
      counts: { create: all },
      callsAtMost: 0,
    }),
    command("up", {
      says: "Make all of it: the project first, the rest beside each other once it is healthy.",
      run: () => workspace.up(shown),
      counts: { create: all },
    }),
    command("up, again", {
      says: "Nothing changed, so nothing happens: not one call.",
      run: () => workspace.up(shown),
      counts: { same: all, create: 0, update: 0, delete: 0, replace: 0 },
      callsAtMost: 0,
    }),
    {
      title: "edits by hand",
      heading: `somebody edits ${edits.length} resources by hand`,
      says: edits.map(({ title }) => `  • ${title}`).join("\n"),
      resources: `${edits.length} changed outside`,
      run: async () => {
        const { ref } = await workspace.outputs();
        if (typeof ref !== "string") throw new Error("The stack has no output `ref`.");
        for (const { apply } of edits) await apply(ref);
        return { exitCode: 0 };
      },
    },
    command("refresh", {
      says: "Pulumi looks at the service: every edit shows up, with old and new value.",
      run: () => workspace.refresh({ ...shown, extraArgs: ["--diff"] }),
      counts: { update: edits.length - 1, delete: 1 },
      check: (done) => missedEdits(edits, done),
    }),
    command("up, to repair", {
      says: "The program is right and the service is put back.",
      run: () => workspace.up(shown),
      counts: { create: 1, update: edits.length - 1, delete: 0, replace: 0 },
    }),
    command("refresh, again", {
      says: "Nothing differs any more.",
      run: () => workspace.refresh(shown),
      counts: { update: 0, delete: 0, same: all },
    }),
    command("destroy", {
      says: "Everything goes, and the service is empty.",
      run: () => workspace.destroy(shown),
      counts: { delete: all },
      check: () => service.leftovers().map((left) => `still there: ${left}`),
    }),
  ];
}

function missedEdits(edits: readonly Edit[], { events = [] }: Done): string[] {
  const drifts = driftIn(events);
  return edits.flatMap(({ type, property, title }) => {
    const found = drifts.find((drift) => drift.type === type);
    if (property === undefined) return found?.deleted === true ? [] : [`not shown as deleted: ${title}`];
    const change = found?.changes[property];
    return change === undefined || change.old === undefined || change.new === undefined
      ? [`no old and new value of ${type}.${property} shown: ${title}`]
      : [];
  });
}

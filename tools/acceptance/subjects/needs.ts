import { QuotaError } from "../../../provider/client/errors/errors";
import type { Values } from "../../../provider/define/values";
import type { NeedName } from "../../fixtures/fixture";
import type { CostItem, TrialContext, Subject } from "./subject";

/** Something beside the project that a subject needs. */
export type Need = {
  /** Those that it needs itself. */
  readonly needs?: readonly NeedName[];
  readonly costs?: readonly CostItem[];
} & (
  | {
      /** It is made and removed as a resource of this type. */
      readonly type: string;
      readonly inputs: (context: TrialContext) => Values;
      /** Its id is `found` under this name. */
      readonly idAs?: string;
    }
  | {
      readonly make: (context: TrialContext) => Promise<unknown>;
      readonly remove: (context: TrialContext) => Promise<unknown>;
    }
);

/** The restore point to which the project is taken back. */
export const RESTORE_POINT = "acceptance-undo";

export const needs: Readonly<Record<NeedName, Need>> = {
  branch: {
    type: "Branch",
    inputs: ({ ref }) => ({ projectRef: ref, name: "acted-on" }),
    idAs: "branchRef",
    costs: ["branch"],
  },
  compute: {
    make: (context) =>
      resized(context, ({ client, ref }) =>
        client.applyAddon({ ref, body: { addon_type: "compute_instance", addon_variant: "ci_small" } }),
      ),
    remove: (context) =>
      resized(context, ({ client, ref }) => client.removeAddon({ ref, addon_variant: "ci_small" })),
    costs: ["compute"],
  },
  domainAddon: {
    type: "BillingAddon",
    inputs: ({ ref }) => ({ projectRef: ref, addonType: "custom_domain", variant: "cd_default" }),
    costs: ["custom_domain"],
  },
  pitr: {
    needs: ["compute"],
    type: "BillingAddon",
    inputs: ({ ref }) => ({ projectRef: ref, addonType: "pitr", variant: "pitr_7" }),
    costs: ["pitr"],
  },
  restorePoint: {
    type: "RestorePoint",
    inputs: ({ ref }) => ({ projectRef: ref, name: RESTORE_POINT }),
  },
};

/** The needs of a subject, those of the needs before them. */
export function needsOf({ needs: names = [] }: Subject): NeedName[] {
  return withTheirNeeds(names);
}

function withTheirNeeds(names: readonly NeedName[]): NeedName[] {
  const all = names.flatMap((name) => [...withTheirNeeds(needs[name].needs ?? []), name]);
  return [...new Set(all)];
}

const STEP_MS = 15_000;
const MOST_STEPS = 80;

/** Repeats a change that the service takes only once it has processed the one before. */
export async function retryWhileProcessing<T>({ sleep }: TrialContext, change: () => Promise<T>): Promise<T> {
  for (let step = 1; ; step += 1) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof QuotaError) || step === MOST_STEPS) throw error;
      await sleep(STEP_MS);
    }
  }
}

/** Changes the compute size and waits until the project runs again. */
async function resized(
  context: TrialContext,
  change: (context: TrialContext) => Promise<unknown>,
): Promise<void> {
  const { client, sleep, ref } = context;
  await retryWhileProcessing(context, () => change(context));
  // The status may say only after a moment that the project is resized.
  await sleep(STEP_MS);
  for (let step = 1; step <= MOST_STEPS; step += 1) {
    const { status } = await client.getProject({ ref });
    if (status === "ACTIVE_HEALTHY") return;
    await sleep(STEP_MS);
  }
  throw new Error("the project does not run again after the change of its compute size");
}

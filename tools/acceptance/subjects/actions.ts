import { RESTORE_POINT } from "./needs";
import { nothingToSee, type TrialContext, type Subject } from "./subject";

const MINUTE_MS = 60_000;

/** An action on a branch, which it needs. */
function onBranch(type: string, more: (branchRef: unknown) => object = () => ({})): Subject {
  return {
    type,
    isPaidFor: true,
    needs: ["branch"],
    inputs: ({ ref, found: { branchRef } }) => ({ projectRef: ref, branchRef, ...more(branchRef) }),
    look: nothingToSee,
  };
}

/** Actions: each is done, and done once more. None of those that the project does not survive as it was comes before others. */
export const actionSubjects: readonly Subject[] = [
  {
    type: "SqlScript",
    inputs: ({ ref }) => ({
      projectRef: ref,
      name: "acceptance",
      query: "create table if not exists acceptance_script (body text);",
      onDelete: "drop table if exists acceptance_script;",
    }),
    look: async ({ client, ref }: TrialContext) => {
      const query = "select table_name from information_schema.tables where table_name = 'acceptance_script'";
      return (await client.runReadOnlyQuery({ ref, body: { query } })).length;
    },
  },
  { type: "ReadOnlyOverride", inputs: ({ ref }) => ({ projectRef: ref }), look: nothingToSee },
  {
    type: "NetworkBanRemoval",
    inputs: ({ ref }) => ({ projectRef: ref, ipv4Addresses: ["203.0.113.7"] }),
    look: async ({ client, ref }: TrialContext) =>
      (await client.listNetworkBans({ ref })).banned_ipv4_addresses,
  },
  { type: "RealtimeShutdown", inputs: ({ ref }) => ({ projectRef: ref }), look: nothingToSee },
  onBranch("BranchPush"),
  onBranch("BranchReset", (branchRef) => ({ confirm: branchRef })),
  onBranch("BranchMerge"),
  {
    type: "RestorePoint",
    inputs: ({ ref }) => ({ projectRef: ref, name: "acceptance-one" }),
    // No point can be deleted, so that its name is taken.
    again: ({ ref }) => ({ projectRef: ref, name: "acceptance-two" }),
    look: nothingToSee,
  },
  {
    type: "RestorePointUndo",
    needs: ["restorePoint"],
    inputs: ({ ref }) => ({ projectRef: ref, confirm: ref, name: RESTORE_POINT }),
    look: nothingToSee,
  },
  {
    type: "PitrRestore",
    isPaidFor: true,
    needs: ["pitr"],
    // Something must have been archived since.
    prepare: async ({ sleep, now }) => {
      await sleep(15 * MINUTE_MS);
      return { recoveryTime: new Date(now() - 5 * MINUTE_MS).toISOString() };
    },
    inputs: ({ ref, found: { recoveryTime } }) => ({ projectRef: ref, confirm: ref, recoveryTime }),
    look: nothingToSee,
  },
];

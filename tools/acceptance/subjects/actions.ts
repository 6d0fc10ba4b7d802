import { RESTORE_POINT } from "./needs";
import { nothingToSee, subjects, type TrialContext } from "./subject";

const MINUTE_MS = 60_000;

const branchRef = ({ found }: TrialContext) => found["branchRef"];

/** Actions: each is done, and done once more. None of those that the project does not survive as it was comes before others. */
export const actionSubjects = subjects([
  {
    type: "SqlScript",
    inputs: () => ({
      name: "acceptance",
      query: "create table if not exists acceptance_script (body text);",
      onDelete: "drop table if exists acceptance_script;",
    }),
    look: async ({ client, ref }: TrialContext) => {
      const query = "select table_name from information_schema.tables where table_name = 'acceptance_script'";
      return (await client.runReadOnlyQuery({ ref, body: { query } })).length;
    },
  },
  { type: "ReadOnlyOverride", look: nothingToSee },
  {
    type: "NetworkBanRemoval",
    look: async ({ client, ref }: TrialContext) =>
      (await client.listNetworkBans({ ref })).banned_ipv4_addresses,
  },
  { type: "RealtimeShutdown", look: nothingToSee },
  {
    type: "BranchPush",
    isPaidFor: true,
    inputs: (context) => ({ branchRef: branchRef(context) }),
    look: nothingToSee,
  },
  {
    type: "BranchReset",
    isPaidFor: true,
    inputs: (context) => ({ branchRef: branchRef(context), confirm: branchRef(context) }),
    look: nothingToSee,
  },
  {
    type: "BranchMerge",
    isPaidFor: true,
    inputs: (context) => ({ branchRef: branchRef(context) }),
    look: nothingToSee,
  },
  {
    type: "RestorePoint",
    inputs: () => ({ name: "acceptance-one" }),
    // No point can be deleted, so that its name is taken.
    again: ({ ref }) => ({ projectRef: ref, name: "acceptance-two" }),
    look: nothingToSee,
  },
  {
    type: "RestorePointUndo",
    inputs: () => ({ name: RESTORE_POINT }),
    look: nothingToSee,
  },
  {
    type: "PitrRestore",
    isPaidFor: true,
    // Something must have been archived since.
    prepare: async ({ sleep, now }) => {
      await sleep(15 * MINUTE_MS);
      return { recoveryTime: new Date(now() - 5 * MINUTE_MS).toISOString() };
    },
    inputs: ({ found: { recoveryTime } }) => ({ recoveryTime }),
    look: nothingToSee,
  },
]);

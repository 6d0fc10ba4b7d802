import { fixture as byUserId } from "../../tools/fixtures/database/jit-user";
import { field, type Service } from "../../tools/fixtures/fixture";
import { giveEnterprisePlan } from "../../tools/fixtures/given-addons";
import { sampleOf, type Sample } from "./samples";

// Resources that other inputs make by other operations than those of their fixtures.

const EMAIL = "ana@example.com";

const invitationsOf = ({ emulator }: Service, ref: string) =>
  emulator.control.call("listJitUsers", { ref }).items.filter(({ invite_id: id }) => id != null);

/** A `JitUser` that is declared by an address, and is invited. */
const invited: Sample = {
  ...byUserId,
  prepare: giveEnterprisePlan,
  inputs: (projectRef) => ({ projectRef, email: EMAIL, roles: [{ role: "postgres" }] }),
  changed: (projectRef) => ({
    projectRef,
    email: EMAIL,
    roles: [{ role: "postgres" }, { role: "read_only_user", allowedCidrs: ["192.0.2.0/24"] }],
  }),
  onService: (service, ref) =>
    invitationsOf(service, ref)
      .filter(({ primary_email: email }) => email === EMAIL)
      .map(({ primary_email: email, user_roles: roles }) => ({ id: email, user_roles: roles })),
  isChanged: (shown) => JSON.stringify(field(shown, "user_roles")).includes("read_only_user"),
  editOutside: ({ projects }, ref) =>
    projects.get(ref)?.jit.invitations.forEach((each) => void (each.roles = [{ role: "admin" }])),
};

const branch = sampleOf("Branch");

const branchWithDisk: Sample = {
  ...branch,
  // Not with `secrets`.
  secretInputs: { withKeys: true, withPooler: true },
  inputs: (ref) => ({ ...branch.inputs(ref), diskSizeGb: 100 }),
  changed: (ref) => ({ ...branch.changed(ref), diskSizeGb: 100 }),
};

export const samplesOfOtherOperations = [
  ["invitation", invited],
  ["branch with a disk", branchWithDisk],
] as const;

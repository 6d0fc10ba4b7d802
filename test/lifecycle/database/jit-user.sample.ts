import type { jitUser } from "../../../provider/resources/database/jit-user/jit-user";
import { field, type SampleOf } from "../sample";

const USER = "7f0c9a2e-3b1d-4c5e-8f6a-0b1c2d3e4f50";
const CIDRS = ["192.0.2.0/24", "198.51.100.0/24"];

export const sample: SampleOf<typeof jitUser> = {
  type: "JitUser",
  needsProject: true,
  inputs: (projectRef) => ({
    projectRef,
    userId: USER,
    roles: [{ role: "postgres", expiresAt: "2040-01-31T18:00:00Z", allowedCidrs: CIDRS }],
  }),
  changed: (projectRef) => ({
    projectRef,
    userId: USER,
    roles: [
      { role: "postgres", expiresAt: "2040-01-31T18:00:00Z", allowedCidrs: CIDRS },
      { role: "read_only_user", allowedCidrsV6: ["2001:db8::/32"] },
    ],
  }),
  onService: ({ emulator }, ref) =>
    emulator.control.call("listJitUsers", { ref }).items.filter(({ user_id }) => user_id === USER),
  isChanged: (shown) => JSON.stringify(field(shown, "user_roles")).includes("read_only_user"),
  editOutside: ({ projects }, ref) => void projects.get(ref)?.jit.users.set(USER, [{ role: "postgres" }]),
  objects: {
    ids: ({ emulator }, ref) =>
      emulator.control.call("listJitUsers", { ref }).items.flatMap(({ user_id }) => user_id ?? []),
    show: ({ emulator }, ref, id) =>
      emulator.control.call("listJitUsers", { ref }).items.find(({ user_id }) => user_id === id),
    make: ({ emulator }, ref, count) =>
      emulator.control.call("updateJitUser", {
        ref,
        body: {
          user_id: `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`,
          roles: [{ role: `others_${count}` }],
        },
      }),
    remove: ({ emulator }, ref, id) => emulator.control.call("deleteJitUser", { ref, user_id: id }),
  },
};

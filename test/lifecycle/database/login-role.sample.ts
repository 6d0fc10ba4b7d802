import type { loginRole } from "../../../provider/resources/database/login-role/login-role";
import { field, type SampleOf } from "../sample";

const A_MONTH_SECONDS = 30 * 86_400;

export const sample: SampleOf<typeof loginRole> = {
  type: "LoginRole",
  needsProject: true,
  prepare: ({ emulator }) => emulator.control.set("loginRoleSeconds", A_MONTH_SECONDS),
  inputs: (projectRef) => ({ projectRef, readOnly: true }),
  changed: (projectRef) => ({ projectRef, readOnly: false }),
  // One whose answer got lost serves nobody and expires by itself: the last one counts.
  onService: ({ emulator }, ref) => {
    const shown: unknown[] = [];
    emulator.control.edit(({ projects }) => {
      const last = projects.get(ref)?.lastLoginRole;
      if (last != null) shown.push({ readOnly: last.readOnly });
    });
    return shown;
  },
  isChanged: (shown) => field(shown, "readOnly") === false,
  cleanUp: ({ emulator }, ref) =>
    emulator.control.edit(({ projects }) => {
      const project = projects.get(ref);
      if (project) project.lastLoginRole = null;
    }),
  secrets: ["password"],
};

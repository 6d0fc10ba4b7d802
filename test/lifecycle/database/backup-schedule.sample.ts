import type { backupSchedule } from "../../../provider/resources/database/backup-schedule/backup-schedule";
import { field, type SampleOf } from "../sample";

const FOUND = "03:00:00";

export const sample: SampleOf<typeof backupSchedule> = {
  type: "BackupSchedule",
  needsProject: true,
  inputs: (projectRef) => ({ projectRef, scheduleFor: "04:30" }),
  changed: (projectRef) => ({ projectRef, scheduleFor: "05:15" }),
  onService: ({ emulator }, ref) => {
    const { schedule_for: time } = emulator.control.call("getBackupSchedule", { ref });
    return time === FOUND ? [] : [{ time }];
  },
  isChanged: (shown) => field(shown, "time") === "05:15:00",
  editOutside: ({ projects }, ref) => {
    const schedule = projects.get(ref)?.newer.backupSchedule;
    if (schedule) schedule.scheduleFor = "06:00:00";
  },
};

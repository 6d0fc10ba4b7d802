import { differencesTable, outcomesTable } from "../../../tools/acceptance/report";

it("says of each type what became of it, and why some were not tried or edited", () => {
  const none = { done: [], faults: [] };
  const lines = outcomesTable([
    { type: "Secret", done: ["look", "create"], faults: [] },
    { type: "Disk", ...none, unedited: "the service takes one change in four hours" },
    { type: "Branch", ...none, faults: ["create: refused"] },
    { type: "BackupSchedule", ...none, leftOut: "the service lacks it" },
  ])
    .split("\n")
    .map((line) => line.replaceAll(/ +/g, " "));
  expect(lines.slice(2, 7)).toEqual([
    "| Secret | 2 | passed |",
    "| Disk | 0 | passed; nothing was edited outside Pulumi: the service takes one change in four hours |",
    "| Branch | 0 | create: refused |",
    "| BackupSchedule | 0 | left out: the service lacks it |",
    "| Organization | 0 | left out: the API cannot delete an organization |",
  ]);
});

it("names the steps of a difference by type, in a table that long cells do not widen", () => {
  const steps = ["look", "create", "read", "refresh", "repair", "repaired", "destroy", "nothing left"];
  const places = [...steps.map((step) => `Secret: ${step}`), "SecretSet: look"];
  const difference = {
    operation: "listSecrets",
    kind: "status",
    path: "",
    service: "200",
    emulator: "201",
  } as const;
  const [head = "", , row = ""] = differencesTable([{ ...difference, places }]).split("\n");
  expect(row).toContain(`| Secret (${steps.join(", ")}), SecretSet (look) |`);
  expect(head.length).toBeLessThan(130);
  expect(differencesTable([])).toBe("The service and the emulator answered alike.");
});

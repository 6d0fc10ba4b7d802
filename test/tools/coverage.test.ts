import { dirname } from "node:path";
import { operations } from "../../spec/table";
import { coverageOf, type Covered, findMissing, places } from "../../tools/coverage/coverage";
import { plans } from "../../tools/coverage/plans";
import { reportText } from "../../tools/coverage/report";

let rows: readonly Covered[];

beforeAll(async () => {
  rows = await coverageOf(dirname(dirname(__dirname)));
});

describe("the coverage of the API", () => {
  it("counts every documented operation, and every newer one, in a set of its own", () => {
    expect(rows.filter(({ set }) => set === "documented")).toHaveLength(149);
    expect(rows.filter(({ set }) => set === "newer")).toHaveLength(41);
    const named = rows.map(({ operation }) => operation);
    expect(named.toSorted()).toEqual(Object.keys(operations).toSorted());
  });

  it.each(places)("is complete: %s", (place) => {
    expect(findMissing(place, rows).map(({ endpoint }) => endpoint)).toEqual([]);
  });

  it("plans operations that there are, and none that is in use", () => {
    const planned = rows.filter(({ plan }) => plan !== undefined);
    expect(planned).toHaveLength(Object.keys(plans).length);
    expect(planned.filter(({ usedBy }) => usedBy.length > 0)).toEqual([]);
  });

  it("knows the users by what the code calls", () => {
    const usersOf = (name: string) => rows.find(({ operation }) => operation === name)?.usedBy;
    expect(usersOf("createProject")).toEqual(["Project"]);
    expect(usersOf("getUpgradeEligibility")).toContain("getUpgradeEligibility");
  });
});

test("the report is a table with sums and with what is missing", () => {
  const row: Covered = {
    endpoint: "GET /v1/boxes",
    operation: "listBoxes",
    set: "documented",
    spec: true,
    client: true,
    emulator: true,
    tested: false,
    usedBy: ["Box", "getBoxes"],
    plan: undefined,
  };
  const later: Covered = {
    ...row,
    operation: undefined,
    spec: false,
    tested: true,
    usedBy: [],
    plan: "later: function getBoxes",
  };
  expect(reportText([row, later, { ...row, operation: "openBox", set: "newer" }])).toBe(
    [
      "operation  endpoint       spec  client  emulator  tested  used by",
      "listBoxes  GET /v1/boxes  yes   yes     yes       NO      Box, getBoxes",
      "?          GET /v1/boxes  NO    yes     yes       yes     later: function getBoxes",
      "openBox    GET /v1/boxes  yes   yes     yes       NO      Box, getBoxes (newer)",
      "",
      "Of 2 documented operations 1 are in the table, 2 in the client, 2 in the emulator, 1 tested.",
      "Used by a resource, function or action: 1; later: 1; client only: 0.",
      "Of 1 newer operations 1 are in the table, 1 in the client, 1 in the emulator, 0 tested.",
      "Used by a resource, function or action: 1; later: 0; client only: 0.",
      "Not in the table: GET /v1/boxes",
      "Not tested: listBoxes",
      "Not tested: openBox",
    ].join("\n"),
  );
});

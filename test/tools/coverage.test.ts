import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { operations } from "../../spec/table";
import { coverageOf, type Covered, missingIn, places } from "../../tools/coverage/coverage";
import { plans } from "../../tools/coverage/plans";
import { reportText } from "../../tools/coverage/report";
import { runCoverage } from "../../tools/coverage/run";
import { sampledOperations } from "../../tools/coverage/sampled-operations";

const root = dirname(dirname(__dirname));

let rows: readonly Covered[];

beforeAll(async () => {
  rows = await coverageOf(root);
});

describe("the coverage of the API", () => {
  it("counts every documented operation, and every other of the table", () => {
    expect(rows.filter(({ documented }) => documented)).toHaveLength(149);
    const named = rows.map(({ operation }) => operation);
    expect(named.toSorted()).toEqual(Object.keys(operations).toSorted());
  });

  it.each(places)("is complete: %s", (place) => {
    expect(missingIn(place, rows).map(({ operation, path }) => operation ?? path)).toEqual([]);
  });

  it("says of every operation what uses it, or why nothing does, and never both", () => {
    const silent = rows.filter(({ usedBy, plan }) => usedBy.length === 0 && plan === undefined);
    const stale = rows.filter(({ usedBy, plan }) => usedBy.length > 0 && plan !== undefined);
    expect(silent.map(({ operation }) => operation)).toEqual([]);
    expect(stale.map(({ operation }) => operation)).toEqual([]);
  });

  it("plans operations that there are", () => {
    expect(Object.keys(plans).filter((name) => !(name in operations))).toEqual([]);
  });

  it("knows the users by what the code calls", () => {
    const usersOf = (name: string): readonly string[] =>
      rows.find(({ operation }) => operation === name)?.usedBy ?? [];
    expect(usersOf("createProject")).toEqual(["Project"]);
    expect(usersOf("getPostgresConfig").toSorted()).toEqual(["PostgresConfig", "getPostgresConfig"]);
  });
});

describe("the report", () => {
  const row: Covered = {
    method: "GET",
    path: "/v1/boxes",
    operation: "listBoxes",
    documented: true,
    spec: true,
    client: true,
    emulator: true,
    tested: true,
    usedBy: ["Box", "getBoxes"],
    plan: undefined,
  };

  it("is a table with sums", () => {
    const extra: Covered = {
      ...row,
      operation: "openBox",
      method: "PATCH",
      documented: false,
      usedBy: ["Box"],
    };
    const later: Covered = {
      ...row,
      operation: "countBoxes",
      method: "HEAD",
      usedBy: [],
      plan: "later: function getBoxes",
    };
    expect(reportText([row, later, extra])).toBe(
      [
        "operation   endpoint          spec  client  emulator  tested  used by",
        "──────────  ────────────────  ────  ──────  ────────  ──────  ────────────────────────",
        "listBoxes   GET    /v1/boxes  yes   yes     yes       yes     Box, getBoxes",
        "countBoxes  HEAD   /v1/boxes  yes   yes     yes       yes     later: function getBoxes",
        "",
        "On the running service, not in the documents:",
        "openBox     PATCH  /v1/boxes  yes   yes     yes       yes     Box",
        "",
        "Of 2 documented operations 2 are in the table, 2 in the client, 2 in the emulator, 2 tested.",
        "Used by a resource, function or action: 1; later: 1; client only: 0.",
      ].join("\n"),
    );
  });

  it("names what is missing, and where", () => {
    const missing: Covered = {
      ...row,
      operation: undefined,
      spec: false,
      client: false,
      emulator: false,
      tested: false,
    };
    const lines = reportText([missing, { ...row, tested: false }]).split("\n");
    expect(lines.slice(lines.indexOf("Missing in the table (spec/operations):"))).toEqual([
      "Missing in the table (spec/operations):",
      "  GET /v1/boxes",
      "Missing in the client (provider/client):",
      "  GET /v1/boxes",
      "Missing in the emulator (emulator/rules):",
      "  GET /v1/boxes",
      "Missing in the tests (test/emulator/operations/samples):",
      "  GET /v1/boxes",
      "  listBoxes",
    ]);
  });

  it("is JSON when it is asked for, and fails when anything is missing", async () => {
    const printed: string[] = [];
    const code = await runCoverage(root, ["--json"], (text) => printed.push(text));
    expect(JSON.parse(printed.join(""))).toEqual(JSON.parse(JSON.stringify(rows)));
    expect(code).toBe(places.every((place) => missingIn(place, rows).length === 0) ? 0 : 1);
  });

  it("fails where no operation has a sample", async () => {
    const empty = mkdtempSync(join(tmpdir(), "management-coverage-"));
    try {
      expect(await runCoverage(empty, [], () => undefined)).toBe(1);
    } finally {
      rmSync(empty, { recursive: true });
    }
  });
});

it("takes for tested what the index of the samples has", () => {
  const folder = mkdtempSync(join(tmpdir(), "management-coverage-"));
  try {
    const samples = join(folder, "test", "emulator", "operations", "samples");
    mkdirSync(samples, { recursive: true });
    writeFileSync(
      join(samples, "boxes.ts"),
      "export const boxSamples = { getBox: () => ({ ref }), openBox() { return {}; } } satisfies Partial<Samples>;\n" +
        "export const lidSamples = { getLid: () => ({}) } satisfies Partial<Samples>;\n",
    );
    writeFileSync(
      join(samples, "index.ts"),
      'import { boxSamples } from "./boxes";\nexport const samples: Partial<Samples> = { ...boxSamples, getKey: () => ({}) };\n',
    );
    expect([...sampledOperations(folder)]).toEqual(["getBox", "openBox", "getKey"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

import { operations } from "../../spec/table";
import { indexed } from "./database/migration-samples";
import { FaultLife } from "./fault-life";
import { faultKinds } from "./fault-kinds";
import { FaultTable } from "./fault-table";
import { samplesInTier } from "../kit/samples";
import { samplesOfOtherOperations } from "../kit/samples-of-other-operations";
import { inTier } from "../kit/tier";

/** Cells that cannot converge: `<Type> <step> <operation> <kind>`, and the reason in the specification. */
const exceptions: Record<string, string> = {
  "SigningKey delete deleteSigningKey nothing told":
    "service, Signing keys: changes are throttled; the fault makes a success of the refusal",
};

function except(cells: string, reason: string, faults: readonly string[]): void {
  for (const kind of faults) exceptions[`${cells} ${kind}`] = reason;
}

// A restore is shown only while it is under way: one that may have been begun is told, and never begun again.
for (const call of [
  "PitrRestore create restorePitr",
  "BackupRestore create restoreBackup",
  "RestorePointUndo create undoToRestorePoint",
]) {
  except(call, "service, Backups: no record of a restore", [
    "500 before the work",
    "502 page before the work",
    "503 before the work",
    "timeout",
    "reset before the work",
    "garbage with 200",
  ]);
}

// The record says that a script was run, and nothing tells once more what it returned.
except("SqlScript settle runQuery", "service, SQL: an answer is given once", [
  "500 after the work",
  "502 page after the work",
  "timeout",
  "reset after the work",
  "answer cut off",
  "garbage with 200",
  "nested too deeply",
  "longer than the bound",
  "endless",
  "content type that lies",
  "list missing",
  "list misshapen",
]);

// A statement outside of a transaction is written and recorded apart.
const samples = [
  ...samplesInTier().map((sample) => [sample.type, sample] as const),
  ["index", indexed("query")] as const,
  ...inTier(samplesOfOtherOperations, () => false),
];
const kinds = Object.entries(faultKinds);
const table = new FaultTable(
  Object.keys(faultKinds),
  samples.map(([type]) => type),
);

afterAll(() => void process.stdout.write(`${table.toString()}\n`));

describe.each(samples)("%s", (type, sample) => {
  let life: FaultLife;
  beforeAll(async () => {
    life = await FaultLife.open(sample);
  });
  afterAll(() => life.close());

  it.each(kinds)("is as declared, once and alone, after: %s", async (kind, faultsFor) => {
    const failures: string[] = [];
    const failed = new Set<string>();
    for (const place of life.places) {
      const cell = `${type} ${place.step} ${place.operation} ${kind}`;
      for (const fault of faultsFor(operations[place.operation])) {
        const failure = await life.liveThrough(place, fault).then(
          () => undefined,
          (error: unknown) => String(error),
        );
        table.add(kind, type, failure === undefined);
        if (failure === undefined) continue;
        failed.add(cell);
        if (exceptions[cell] === undefined)
          failures.push(`${cell}, ${JSON.stringify(fault).slice(0, 100)}: ${failure}`);
        // What it left behind must not disturb the next one.
        await life.close();
        life = await FaultLife.open(sample);
      }
    }
    const expected = Object.keys(exceptions).filter(
      (cell) => cell.startsWith(`${type} `) && cell.endsWith(` ${kind}`),
    );
    expect({ failures, idleExceptions: expected.filter((cell) => !failed.has(cell)) }).toEqual({
      failures: [],
      idleExceptions: [],
    });
  });
});

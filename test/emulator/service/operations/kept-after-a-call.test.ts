import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toPlain } from "../../../../emulator/desk/control/snapshot";
import { DataFolder } from "../../../../emulator/desk/worlds/data-folder";
import { operations, type OperationName } from "../../../../spec/table";
import { measuredStatusOf } from "../../../../spec/operation";
import { databaseOperations } from "../../../../tools/fuzz/operations/database-operations";
import { samples } from "../../../../tools/fuzz/operations/samples";
import { startStage, type Stage } from "../../../../tools/fuzz/operations/scene";
import { valuesOf, wireRequest } from "../../../../tools/fuzz/operations/wire-request";

// The keys of the samples are operation names, which `Object.keys` widens to string.
const names = (Object.keys(samples) as OperationName[]).filter((name) => !(name in databaseOperations));

describe("an emulator with a data folder that is killed after a call", () => {
  let folder: string;
  let stage: Stage;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "emulator-data-"));
    stage = await startStage({ dataFolder: folder });
  });
  afterAll(async () => {
    await stage.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What a restart would find: read from a copy, since the folder is in use. */
  function found(): unknown {
    const copy = mkdtempSync(join(tmpdir(), "emulator-copy-"));
    const [file, log] = ["emulator.db", "emulator.db-wal"];
    for (const name of [file, log]) cpSync(join(folder, name), join(copy, name));
    const opened = DataFolder.open(copy);
    opened.close();
    rmSync(copy, { recursive: true, force: true });
    return toPlain(opened.restored?.state);
  }

  it.each(names)("has kept all that %s did", async (name) => {
    const scene = stage.fresh();
    const request = wireRequest(operations[name], valuesOf(operations[name], await samples[name](scene)));
    const answer = await fetch(`${scene.emulator.url}${request.path}`, {
      method: request.method,
      headers: { ...request.headers, authorization: `Bearer ${scene.emulator.accessToken}` },
      body: request.body ?? null,
    });
    expect(answer.status).toBe(measuredStatusOf(operations[name]));
    expect(found()).toEqual(scene.control.snapshot());
  });
});

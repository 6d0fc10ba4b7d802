import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CANCEL_FILE, watchCancelFile } from "../../../provider/client/cancel-file";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "management-cancel-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("a dynamic provider ends its waits once the file is there, which the engine does not tell it", async () => {
  const file = join(folder, "cancelled");
  const signal = watchCancelFile({ [CANCEL_FILE]: file });
  expect(signal.aborted).toBe(false);
  const aborted = once(signal, "abort");
  writeFileSync(file, "");
  // Nothing else keeps this process waiting for it.
  const waiting = setInterval(() => undefined, 1_000);
  await aborted;
  clearInterval(waiting);
  expect(signal.reason).toMatchObject({
    message: expect.stringContaining("The run was cancelled") as unknown,
  });
});

it.each([{}, { [CANCEL_FILE]: "" }])("nothing is cancelled where no file is named: %j", (env) => {
  expect(watchCancelFile(env).aborted).toBe(false);
});

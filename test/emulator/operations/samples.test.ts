import { pendingHandlers } from "../../../emulator/rules/pending";
import { operations, type OperationName } from "../../../spec/table";
import { samples } from "./samples";

// The keys of the table are its operation names, which `Object.keys` widens to string.
const missing = (Object.keys(operations) as OperationName[]).filter((name) => samples[name] === undefined);

describe("samples", () => {
  it("exist for every operation that is emulated", () => {
    expect(missing.filter((name) => !(name in pendingHandlers))).toEqual([]);
  });

  for (const name of missing.filter((one) => one in pendingHandlers)) it.todo(name);
});

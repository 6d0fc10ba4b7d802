import { operations, type OperationName } from "../../../spec/table";
import { samples } from "./samples";

describe("samples", () => {
  it("exist for every operation", () => {
    // The keys of the table are its operation names, which `Object.keys` widens to string.
    const names = Object.keys(operations) as OperationName[];
    expect(names.filter((name) => samples[name] === undefined)).toEqual([]);
  });
});

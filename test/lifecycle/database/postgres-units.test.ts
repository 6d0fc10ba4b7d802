import { toBaseUnits, postgresSettings } from "../../../provider/resources/database/postgres-config/settings";
import { listDifferingPaths } from "../../../provider/define/compare";

describe("a value with a unit", () => {
  it.each([
    ["workMem", "131072kB", "128MB"],
    ["workMem", "4096", "4MB"],
    ["sharedBuffers", "16384", "128MB"],
    ["effectiveCacheSize", "0.5GB", "512MB"],
    ["trackActivityQuerySize", "1024", "1kB"],
    ["maxWalSize", "1024", "1GB"],
    ["statementTimeout", "60000", "1min"],
    ["checkpointTimeout", "300", "5min"],
    ["walSenderTimeout", "1h", "3600s"],
    ["maxStandbyArchiveDelay", "-1", "-1ms"],
    ["maxSlotWalKeepSize", "-1", " -1 "],
  ] as const)("of %s is the same as %s and %s", (name, one, other) => {
    expect(listDifferingPaths(postgresSettings[name], one, other)).toEqual([]);
  });

  it.each([
    ["workMem", "4096", "4096MB"],
    ["workMem", "4MB", "5MB"],
    ["statementTimeout", "1s", "1min"],
    ["checkpointTimeout", "300", "300ms"],
  ] as const)("of %s is not the same as %s and %s", (name, one, other) => {
    expect(listDifferingPaths(postgresSettings[name], one, other)).not.toEqual([]);
  });

  it("stays as it is when it is no number with a known unit", () => {
    expect([toBaseUnits("12 parsecs", "kB"), toBaseUnits("auto", "ms"), toBaseUnits(true, "B")]).toEqual([
      "12 parsecs",
      "auto",
      true,
    ]);
    expect(toBaseUnits("5min", "kB")).toBe("5min");
    expect(toBaseUnits(8, "kB")).toBe(8);
  });
});

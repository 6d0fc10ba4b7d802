import { EmulatorCommandError } from "../../emulator/parse-command";
import { emulatorOptionsOf } from "../../tools/emulator-flags";

describe("the options that tools pass on to their emulator", () => {
  it("leave the emulator as it is, or make it a newer one and count calls otherwise", () => {
    expect(emulatorOptionsOf({ newer: false })).toEqual({ seed: {} });
    expect(emulatorOptionsOf({ newer: true, limits: "operation" })).toEqual({
      newer: true,
      limits: "operation",
      seed: {},
    });
  });

  it("are refused as the emulator refuses them", () => {
    expect(() => emulatorOptionsOf({ newer: false, limits: "minute" })).toThrow(EmulatorCommandError);
  });
});

import type { EmulatorOptions } from "../../emulator";

/** How tests start their emulators: `npm run repeat -- --newer` has them meet a newer service. */
export const testedService: Pick<EmulatorOptions, "newer"> = {
  newer: process.env["MANAGEMENT_TEST_NEWER"] === "true",
};

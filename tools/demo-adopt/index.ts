import { conclude, runDemo, say } from "../demo/runner";
import { playAdoption } from "./story";

const USAGE = `npm run demo:adopt

A project made by hand, on the emulator on this machine, comes under Pulumi with management-import, is changed in one
setting, and has its first preview of a pull request, which is merged. Ends with 1 if a step is not as it must be.
`;

runDemo({
  usage: USAGE,
  flags: {},
  tell: async (engine) => conclude(await playAdoption(engine, say)),
});

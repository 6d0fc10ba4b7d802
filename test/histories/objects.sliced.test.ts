import { action, describeAction } from "./actions";
import { playHistories } from "./play";
import { World } from "./world";

playHistories({
  of: "objects",
  says: "end with exactly what is declared, and with nothing when all is destroyed",
  action,
  describe: describeAction,
  begin: (scenario) => new World(scenario),
  counts: { quick: 60, rest: 300 },
  timeoutMs: 2_000,
});

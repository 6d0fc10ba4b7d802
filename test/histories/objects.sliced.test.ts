import { action, describeAction } from "./actions";
import { inTier } from "../kit/tier";
import { playHistories } from "./play";
import { ObjectHistory } from "./object-history";

playHistories({
  of: "objects",
  says: "end with exactly what is declared, and with nothing when all is destroyed",
  action,
  describe: describeAction,
  begin: (scenario) => new ObjectHistory(scenario),
  count: Math.max(...inTier([60, 300], (count) => count === 60)),
  timeoutMs: 2_000,
});

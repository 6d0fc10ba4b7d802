import { inTier } from "../kit/tier";
import { playHistories } from "./play";
import { describeProjectAction, projectAction } from "./project-actions";
import { ImportHistory } from "./import-history";

playHistories({
  of: "imports",
  says: "of a project by hand end with a program that changes nothing, and one edit of it changes one thing",
  action: projectAction,
  describe: describeProjectAction,
  begin: (scenario) => new ImportHistory(scenario),
  count: Math.max(...inTier([10, 200], (count) => count === 10)),
  timeoutMs: 10_000,
});

import { databaseOperations } from "../../../../tools/fuzz/operations/database-operations";
import { describeSameAnswers } from "./describe-same-answers";
import { reads, writes } from "./random-world";

describe("an exported world", () => {
  // Those that reach a database take long.
  describeSameAnswers(
    [...reads, ...writes].filter((name) => !(name in databaseOperations)),
    1,
  );
});

import { describeSameAnswers } from "./describe-same-answers";
import { reads, writes } from "./random-world";

describe("an exported world with databases", () => {
  describeSameAnswers([...reads, ...writes], 2);
});

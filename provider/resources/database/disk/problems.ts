import { defineProblem } from "../../../client/errors/problem";

export const problems = {
  cannotShrink: defineProblem({
    says: "a disk never shrinks: it has {present} GB, declared are {declared}. Nothing was changed. {remedy}.",
    means: "The declared `sizeGb` is less than the disk has, or less than was declared before.",
    remedy:
      "Declare the present size or a larger one, or leave `sizeGb` out. A disk that has grown by itself is taken as it is with `adoptId`",
  }),
  tooEarly: defineProblem({
    says: "The disk of the project {ref} cannot be changed again yet: the service takes one change in four to six hours{when} (it says: {answer}). Nothing was changed. {remedy}.",
    means:
      "The disk was changed a short time ago, or has grown by itself. The message says from when on the service takes another change.",
    remedy:
      "Run again then; until then, `pulumi up --continue-on-error` brings about everything that does not depend on the disk",
  }),
  noThroughput: defineProblem({
    says: "only a disk of the type `gp3` has a throughput of its own. {remedy}.",
    means: "`throughputMibps` is declared for a disk of the type `io2`.",
    remedy: "Leave it out, or declare the type `gp3`",
  }),
  stays: defineProblem({
    says: "the disk of the project {ref} stays as it is: a disk cannot shrink, so nothing is restored. {remedy}.",
    means: "A warning: the resource was deleted, and the disk keeps its size, type, IOPS and throughput.",
    remedy: "There is nothing to do, unless you want another disk",
  }),
};

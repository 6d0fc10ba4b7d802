import { defineProblem } from "../../../client/errors/problem";

export const problems = {
  cannotShrink: defineProblem({
    says: "a disk cannot shrink: it has {present} GB, the program declares {declared}. Nothing was changed. {remedy}.",
    means: "The declared `sizeGb` is smaller than the disk, or smaller than the previously declared size.",
    remedy:
      "Declare the current size or a larger one, or omit `sizeGb`. For a disk that has grown automatically, use `adoptId`",
  }),
  tooEarly: defineProblem({
    says: "The disk of the project {ref} cannot be changed yet: the service allows one change in four to six hours{when} (it says: {answer}). Nothing was changed. {remedy}.",
    means: "The disk was changed or has grown recently. The message says when the next change is possible.",
    remedy:
      "Run again after that time. Until then, `pulumi up --continue-on-error` applies everything that does not depend on the disk",
  }),
  hiddenThroughput: defineProblem({
    says: "the service does not show the throughput of the disk, and every change has to repeat it. Nothing was changed. {remedy}.",
    means:
      "The disk is of the type `gp3`, the answer of the service lacks its throughput, and the program does not declare it.",
    remedy: "Declare `throughputMibps` with the value that the disk has or is to have",
  }),
  noThroughput: defineProblem({
    says: "only disks of the type `gp3` have a configurable throughput. {remedy}.",
    means: "`throughputMibps` is declared for a disk of the type `io2`.",
    remedy: "Omit it, or declare the type `gp3`",
  }),
  stays: defineProblem({
    says: "the disk of the project {ref} keeps its settings, because a disk cannot shrink. {remedy}.",
    means: "Warning. The resource was deleted, and the disk keeps its size, type, IOPS and throughput.",
    remedy: "Nothing to do, unless you want another disk",
  }),
};

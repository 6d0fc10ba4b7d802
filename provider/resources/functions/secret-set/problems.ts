import { defineProblem } from "../../../client/errors/problem";
import { emptySourceProblems } from "../shared/empty-source";
import { NAMES_ADVICE, namedSetProblems } from "../shared/named-set";
import { functionSecretProblems } from "../shared/function-secret-names";

export const problems = {
  ...functionSecretProblems,
  ...namedSetProblems,
  ...emptySourceProblems,
  nothingDeclared: defineProblem({
    says: "declare `secrets`, `envFile` or both",
    means: "A set needs a source of its secrets.",
    remedy: "Declare an empty map for a set without any",
  }),
  unreadableFile: defineProblem({
    says: "{path} cannot be read: {why}",
    means: "The file that holds the secrets is not there, or it or a line of it cannot be read.",
    remedy: "Correct the path, which is relative to the program's folder, or the line",
  }),
  notExpanded: defineProblem({
    says: "{names} of the file are set as they stand there, with their `$`: the platform's own tool would put a variable's value there. {remedy}.",
    means:
      "A warning: a value without quotes, or between double quotes, has a `$` with a name behind it. This package expands nothing.",
    remedy: "Put the value between single quotes, and every tool reads the same",
  }),
  notASecret: defineProblem({
    says: "`{name}` cannot be a secret: {fault}",
    means: "The service takes no secret of this name, or none that is so long.",
    remedy: "Rename it, shorten it or take it out of the file",
  }),
  hasAlready: defineProblem({
    says: "The project {ref} has {names} already. Nothing was changed. {remedy}.",
    means: "Somebody else made secrets that the set declares from now on.",
    remedy: NAMES_ADVICE,
  }),
  writtenElsewhere: defineProblem({
    says: "{names} of the project {ref}: another program has set another value since this one wrote its own, and the other value stays. {remedy}.",
    means:
      "A warning: two programs declare the same secret with different values, and both ran at the same time.",
    remedy: "Take the secret out of one of the two programs; `pulumi refresh` shows it in `outOfSync`",
  }),
  notWritten: defineProblem({
    says: "The service refused {names}: {answer}",
    means:
      "The service refuses these secrets, such as for their names. The others of the set are as declared.",
    remedy: "Correct them and run again",
  }),
};

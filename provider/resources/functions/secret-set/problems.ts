import { defineProblem } from "../../../client/errors/problem";
import { envFileProblems } from "../shared/env-file";
import { emptySourceProblems } from "../shared/empty-source";
import { NAMES_ADVICE, namedSetProblems } from "../shared/named-set";
import { functionSecretProblems } from "../shared/function-secret-names";

export const problems = {
  ...functionSecretProblems,
  ...namedSetProblems,
  ...emptySourceProblems,
  nothingDeclared: defineProblem({
    says: "declare `secrets`, `envFile` or both",
    means: "A set needs a source of secrets.",
    remedy: "For an empty set, declare an empty map",
  }),
  ...envFileProblems,
  notExpanded: defineProblem({
    says: "the values of {names} contain `$`, which is sent literally. The platform's own tool would expand the variable. {remedy}.",
    means:
      "Warning. A value without quotes or in double quotes contains `$` and a name. This package does not expand variables.",
    remedy: "Put the value in single quotes, and every tool reads the same value",
  }),
  leftOut: defineProblem({
    says: "{names} in {path}: left out, because the service reserves these names.",
    means: "Note. The platform's own tool leaves out such names too, and its template of the file has some.",
    remedy: "Nothing. For a secret of your own, use another name",
  }),
  notASecret: defineProblem({
    says: "`{name}` cannot be a secret: {fault}",
    means: "The service does not accept the name of this secret, or its length.",
    remedy: "Rename it, shorten it or remove it from the file",
  }),
  hasAlready: defineProblem({
    says: "The project {ref} already has {names}. Nothing was changed. {remedy}.",
    means: "The set declares secrets that someone else has created.",
    remedy: NAMES_ADVICE,
  }),
  writtenElsewhere: defineProblem({
    says: "{names} of the project {ref}: another program has overwritten this program's value. The other value stays. {remedy}.",
    means: "Warning. Two programs that run at the same time declare the same secret with different values.",
    remedy: "Remove the secret from one of the two programs. `pulumi refresh` shows it in `outOfSync`",
  }),
  notWritten: defineProblem({
    says: "The service rejected {names}: {answer}",
    means:
      "The service rejects these secrets, for example because of their names. The others of the set are up to date.",
    remedy: "Correct them and run again",
  }),
};

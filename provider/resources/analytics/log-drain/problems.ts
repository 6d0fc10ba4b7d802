import { defineProblem } from "../../../client/errors/problem";

export const problems = {
  noKind: defineProblem({
    says: "a log drain has one of {kinds}, and the program declares none",
    means: "The log drain has no configuration.",
    remedy: "Declare exactly one of them",
  }),
  severalKinds: defineProblem({
    says: "{given} cannot be combined: a log drain has exactly one of {kinds}",
    means: "Several configurations are declared. One whose value is not known yet counts as declared.",
    remedy: "Keep one, and declare another log drain for each of the others",
  }),
  undeclarable: defineProblem({
    says: "The log drain {id} is of the kind {kind}, which no program can declare: its configuration is not documented. It was left as it is. {remedy}.",
    means: "The service has a log drain of another kind than those that the inputs can declare.",
    remedy: "Manage it in the service's console",
  }),
  credentialsNotDeclared: defineProblem({
    says: "A change of the configuration sends all of it, and the program declares no value of {names}. The service may have one and does not return it as it is, so the change might remove or overwrite it. Nothing was changed. {remedy}.",
    means:
      "Somebody else set a value that the service hides, and the program does not declare it. Or the log drain was adopted or imported, and the program does not say whether it has credentials that the service may not show.",
    remedy:
      'Declare each, or take it out in the service\'s console. For a credential that the log drain does not have, declare `""`, or an empty map for headers. Then run again',
  }),
  unknownHidden: defineProblem({
    says: "A change of the configuration sends all of it. The service hides the value of {names}, which this version of the provider does not know, so the change would overwrite it. Nothing was changed. {remedy}.",
    means:
      "The configuration has a field that this version does not know, with a value that the service hides.",
    remedy: "Make the change in the service's console, or take the field out there and run again",
  }),
  otherKind: defineProblem({
    says: "The service has the log drain as the kind {shown}, and the program declares {kind}: somebody changed it. Nothing was changed. {remedy}.",
    means: "The log drain has another kind than the state says.",
    remedy: "Run `pulumi refresh`, then `pulumi preview`",
  }),
  notServed: defineProblem({
    says: "The service answers 404 for the log drains of the project {ref}, which exists{answer}. Nothing was changed, and all log drains are treated as still present. {remedy}.",
    means: "The service has no log drains for this project, or the token may not read them.",
    remedy:
      "Check that this installation and the plan have log drains, and that the token may read them, then run again",
  }),
  stillListed: defineProblem({
    says: "{error} The listing still has the log drain. {remedy}.",
    means: "The service answered 404 to a delete, although it lists the log drain.",
    remedy: "Run again",
  }),
};

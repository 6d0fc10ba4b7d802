import { defineProblem } from "../../../client/errors/problem";

export const problems = {
  required: defineProblem({
    says: "is missing, and required as {says}. {remedy}",
    means: "The program declares a setting that has no effect, or is refused, without another one.",
    remedy: "Declare `{path}`",
  }),
  enrollWithoutVerify: defineProblem({
    says: "cannot be true while `{verify}` is false: nobody could sign in with what is enrolled. {remedy}",
    means: "Users could enroll a factor with which they cannot sign in.",
    remedy: "Declare `{verify}: true`",
  }),
  limitWithoutSmtp: defineProblem({
    says: 'needs an SMTP server, and `smtp.host` is "". {remedy}',
    means: "The service takes a limit of emails only where the project has an SMTP server of its own.",
    remedy: "Take the limit out, or declare `smtp`",
  }),
  secretsOfFunction: defineProblem({
    says: "is for hooks at a URL, and `{uri}` is a function in the database. {remedy}",
    means: "A hook in the database is called without signature.",
    remedy: "Take the secrets out",
  }),
};

import { defineProblem } from "../../../client/errors/problem";
import { cidrProblems } from "../../network/shared/cidrs";

export const problems = {
  noCidrV4: cidrProblems.noCidrV4,
  noCidrV6: cidrProblems.noCidrV6,
  roleTwice: defineProblem({
    says: "the role {role} is given twice: {remedy}",
    means: "Two elements of `roles` name the same role.",
    remedy: "Give it once, with all its networks",
  }),
  everywhere: defineProblem({
    says: "the role {role} can be assumed from every network, as it has no list of networks any more. {remedy}.",
    means: "A warning: both lists of networks of a role are taken out of the program.",
    remedy: "To restrict it, declare `allowedCidrs` or `allowedCidrsV6`",
  }),
  forEver: defineProblem({
    says: "the role {role} can be assumed for ever, as it has no `expiresAt` any more. {remedy}.",
    means: "A warning: the `expiresAt` of a role is taken out of the program.",
    remedy: "To let it expire, declare a time",
  }),
  expired: defineProblem({
    says: "the access of user {user} to {roles} has expired, so it is neither granted nor missed. {remedy}.",
    means: "A warning: the `expiresAt` of a declared role is over.",
    remedy: "Take the role out of the program, or set a later `expiresAt`",
  }),
};

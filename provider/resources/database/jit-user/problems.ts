import { defineProblem } from "../../../client/errors/problem";
import { cidrProblems } from "../../network/shared/cidrs";

export const problems = {
  noCidrV4: cidrProblems.noCidrV4,
  noCidrV6: cidrProblems.noCidrV6,
  roleTwice: defineProblem({
    says: "the role {role} is declared twice: {remedy}",
    means: "Two elements of `roles` have the same role.",
    remedy: "Declare it once, with all its networks",
  }),
  noPerson: defineProblem({
    says: "one of `userId` and `email` is required",
    means: "Neither `userId` nor `email` is declared.",
    remedy: "Declare the one that you know",
  }),
  twoPersons: defineProblem({
    says: "`userId` and `email` cannot be combined: {remedy}",
    means: "Both `userId` and `email` are declared.",
    remedy: "Keep the one that you know. For two persons, declare two resources",
  }),
  everywhere: defineProblem({
    says: "the role {role} can now be assumed from every network, because its lists of networks were removed. {remedy}.",
    means: "Warning. The program no longer declares any list of networks for a role.",
    remedy: "To restrict it, declare `allowedCidrs` or `allowedCidrsV6`",
  }),
  forEver: defineProblem({
    says: "the role {role} no longer expires, because `expiresAt` was removed. {remedy}.",
    means: "Warning. The program no longer declares `expiresAt` for a role.",
    remedy: "To let it expire, declare `expiresAt`",
  }),
  expired: defineProblem({
    says: "the access of user {user} to {roles} has expired. The provider ignores it. {remedy}.",
    means: "Warning. The `expiresAt` of a declared role is in the past.",
    remedy: "Remove the role from the program, or set a later `expiresAt`",
  }),
  invitationExpired: defineProblem({
    says: "the invitation of {email} expired at {time} and was not accepted. {remedy}.",
    means: "Warning. The service lists an invitation whose time is over. It can no longer be accepted.",
    remedy: "The next `pulumi up` sends another one",
  }),
  noAddresses: defineProblem({
    says: "The service lists users without their addresses, so nobody can be found by the address {email}. Nothing was changed, and everybody is treated as still present. {remedy}.",
    means: "An answer has users without `primary_email`, as that of an older installation.",
    remedy: "Run again. If it answers the same, declare `userId` in place of `email`",
  }),
  severalUsers: defineProblem({
    says: "The service lists several users with the address {email}: {users}. Nothing was changed, because it is not known which one is meant. {remedy}.",
    means: "More than one user with just-in-time access has the declared `email`.",
    remedy: "Declare `userId` in place of `email`",
  }),
  notInvited: defineProblem({
    says: "{error} The service lists no invitation of {email}, so nobody was invited. {remedy}.",
    means:
      "The service answered 500 to an invitation. It was measured to do so for every invitation on the plan `pro`.",
    remedy:
      "Run again. If it answers the same, the plan may not include invitations: declare the `userId` of a member, or change the plan",
  }),
  addressOfAnother: defineProblem({
    says: "the address {email} belongs to the user {other} by now. The resource still manages the roles of the user {user}, who had it before, and leaves those of {other} as they are. {remedy}.",
    means:
      "Warning. The user who was granted the roles has another address or none, and another user has the declared one.",
    remedy: "To manage the roles of the other user, declare a `JitUser` with this `userId`",
  }),
  grantedElsewhere: defineProblem({
    says: "the user {user} has the address {email} and roles that this resource did not grant: {roles}. The invitation {why}, so these roles are left as they are. {remedy}.",
    means:
      "Warning. Somebody else granted roles to a user of the declared `email`, while the invitation was pending or after another user had accepted it.",
    remedy: "To manage or revoke them, declare a `JitUser` with this `userId`, and with `adopt: true`",
  }),
  wouldOverwrite: defineProblem({
    says: "The user {user} has the address {email} and roles that this resource did not grant: {roles}. The invitation {why}. Nothing was changed, because an update would replace these roles. {remedy}.",
    means:
      "Somebody else granted roles to a user of the declared `email`, while the invitation was pending or after another user had accepted it.",
    remedy:
      "To replace them, declare this `userId` in place of `email`, with `adopt: true`. Otherwise have them revoked where they were granted, and run again",
  }),
  leftWithoutAddress: defineProblem({
    says: "the roles of the user {user} were not revoked: the service lists users without their addresses, so this may be the user of {email}, whom the program declares now. {remedy}.",
    means:
      "Warning. A resource was replaced by one with another person's `email`, and an answer has users without `primary_email`.",
    remedy: "Look at the roles with `getJitUsers`, and revoke those that are not needed",
  }),
  surplus: defineProblem({
    says: "the service lists more than one grant or invitation of {email}. All invitations but the one that counts are withdrawn.",
    means: "A request arrived late or twice, or somebody else has invited the same address.",
    remedy: "Nothing",
  }),
  invitedAnew: defineProblem({
    says: "the invitation of {email} is withdrawn, and another one is sent.",
    means: "Nobody has accepted the invitation, and its roles change or its time is over.",
    remedy: "Nothing",
  }),
  notWithdrawn: defineProblem({
    says: "The service answers 404 to the removal of the invitation of {email}, and still lists it. {remedy}.",
    means: "The service answered 404 to the removal of an invitation that it lists.",
    remedy: "Run again",
  }),
};

import { defineProblem } from "../../../client/errors/problem";
import { signingKeyProblems } from "../../../define/problems";

const FORGET_IT =
  "To keep the key, remove the resource from the state: `pulumi state delete '{urn}'`. Deleting the project also deletes its keys";

export const problems = {
  ...signingKeyProblems,
  standbyTaken: defineProblem({
    says: "The project already has a standby signing key, {id} ({algorithm}), and can have only one. Nothing was created. {remedy}.",
    means:
      "A project can have only one standby key. A replacement deletes a standby key first, unless it is forced by `--replace`.",
    remedy:
      "If this one replaces that key, set the resource option `deleteBeforeReplace: true`. If not, the key waits for a rotation that somebody else has planned: run again once it is `in_use`, or its owner has revoked it",
  }),
  notAtFirst: defineProblem({
    says: "A new signing key cannot be {status}; possible: `standby`, `in_use`. Nothing was created.",
    means: "A new key can only be `standby` or `in_use`.",
    remedy: "Create it `standby`, and set the other state in a later run",
  }),
  staysInUse: defineProblem({
    says: "The signing key {id} is in_use and cannot be set to {wanted}. Set another signing key to `in_use` first.",
    means: "A key in use leaves that state only when another key replaces it.",
    remedy: "Set another signing key to `in_use` first",
  }),
  inUse: defineProblem({
    says: "The signing key {id} is in use and can be neither revoked nor deleted: {remedy}.",
    means: "The key in use cannot be deleted.",
    remedy: `Set another signing key to \`in_use\` first, then delete this one. For a replacement, set the resource option \`deleteBeforeReplace: false\`, so that the new key is created first. ${FORGET_IT}`,
  }),
  notRevoked: defineProblem({
    says: "The signing key {id} is {status} and was not revoked, which it must be before it can be deleted (the service says: {answer}). {remedy}.",
    means: "The service refused to revoke the key, which has to come before its deletion.",
    remedy: FORGET_IT,
  }),
  legacy: defineProblem({
    says: "The signing key {id} is the project's legacy key, which cannot be deleted (the service says: {answer}). {remedy}.",
    means: "The service does not allow deleting the legacy key.",
    remedy: FORGET_IT,
  }),
};

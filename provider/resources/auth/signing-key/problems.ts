import { defineProblem } from "../../../client/errors/problem";
import { signingKeyProblems } from "../../../define/problems";

export const FORGET_IT =
  "To leave it where it is, take the resource out of the state: `pulumi state delete <urn>`. Deleting the project removes its keys as well";

export const problems = {
  ...signingKeyProblems,
  standbyTaken: defineProblem({
    says: "The project has a standby signing key already, {id} ({algorithm}), and it has one at a time, so nothing was created. {remedy}.",
    means:
      "A project has at most one standby key. A replacement deletes a standby key first, except one forced by `--replace`.",
    remedy:
      "Set that key to `in_use` or `revoked` first, or create this one `in_use`. When this is the replacement of that key, set the resource option `deleteBeforeReplace: true`",
  }),
  notAtFirst: defineProblem({
    says: "A new signing key cannot be {status}; possible: `standby`, `in_use`. Nothing was created.",
    means: "A new key can only be `standby` or `in_use`.",
    remedy: "Create it `standby`, and set the other state in a later run",
  }),
  staysInUse: defineProblem({
    says: "The signing key {id} is in_use and cannot be set to {wanted}; it leaves that state only when another signing key is set to `in_use`, so do that first.",
    means: "A key in use leaves that state only when another key takes its place.",
    remedy: "Set another signing key to `in_use` first",
  }),
  inUse: defineProblem({
    says: "The signing key {id} is in use, so it can be neither revoked nor deleted: {remedy}.",
    means: "The key in use cannot be deleted.",
    remedy: `Set another signing key to \`in_use\` first, then delete this one. When it is to be replaced, set the resource option \`deleteBeforeReplace: false\`, so that the new key is made first. ${FORGET_IT}`,
  }),
  legacy: defineProblem({
    says: "The signing key {id} is the project's legacy key, which cannot be deleted (the service says: {answer}). {remedy}.",
    means: "The service keeps its legacy key.",
    remedy: FORGET_IT,
  }),
};

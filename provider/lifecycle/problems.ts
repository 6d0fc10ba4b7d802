import { defineProblem } from "../client/errors/problem";

/** What can go wrong with the inputs of everything. */
export const inputProblems = {
  unknownProperty: defineProblem({
    says: "unknown property{suggestion}",
    means:
      "The program sets a property that does not exist here. The preview reports all faults of the inputs at once.",
    remedy: "Use the name that the message suggests",
  }),
};

/** What can go wrong with every resource that looks for what exists already. */
export const findableProblems = {
  existsAlready: defineProblem({
    says: "The {type} exists already: {candidates}.{owner} Nothing was created. {steps}.",
    means: "The service has an object with this identity that is not in the stack's state.",
    remedy:
      "Keep with `aliases` what was renamed or moved; replace with `deleteBeforeReplace`; take over with `adoptId` only what no resource of a program has; or declare another name",
  }),
  severalFit: defineProblem({
    says: "More than one {type} fits what is declared: {candidates}. {remedy}.",
    means: "`adopt: true` finds several objects.",
    remedy: 'Name the one to take over: `adoptId: "<identifier>"`',
  }),
  mayHaveMade: defineProblem({
    says: "The creation that began at {time} got no certain answer. It may have made the {type} {candidates}, or somebody else did. Nothing was taken over. {remedy}.",
    means:
      "A create was answered by an error, or its run was killed, and what is there now was not there before. It is this resource's object only if the service shows that it was made between the request and its answer and has everything that was sent.",
    remedy: 'If it is yours, add `adoptId: "{id}"` to the resource; if not, remove it or declare another one',
  }),
};

/** What can go wrong with a resource that cannot be imported. */
export const importProblems = {
  notImportable: defineProblem({
    says: "A {type} cannot be imported: {refusal} {remedy}.",
    means: "The service does not show what an import would have to bring into the state.",
    remedy:
      "Declare the resource and run `pulumi up`; take it out of an import file, of which one such entry stops the rest",
  }),
};

/** What can go wrong with a resource that can be protected from its deletion. */
export const protectionProblems = {
  notReplaced: defineProblem({
    says: "A change of {names} replaces the {type}, which deletes the present one with all that is in it, and its `{protection}` is on, {why}. Nothing was changed. {remedy}. {dependents}.",
    means: "The edit takes a replacement, and deletion protection is on.",
    remedy:
      "Take the change back; or, if the present one is to be deleted, declare `{protection}: false` without the change, run `pulumi up`, then make the change",
  }),
  notDeleted: defineProblem({
    says: "The {type} {id} was not deleted: its `{protection}` is on, {why}. {remedy}. {dependents}.",
    means: "The resource is destroyed or was taken out of the program, and deletion protection is on.",
    remedy:
      "To delete it, declare `{protection}: false`, run `pulumi up`, then destroy. To leave it where it is, take it out of the state with `pulumi state delete '{urn}'`. If it is gone already, run `pulumi refresh`",
  }),
};

/** What is said of a resource with outputs that programs rely on. */
export const requiredOutputProblems = {
  notShown: defineProblem({
    says: "The service does not show {outputs} of the {type}: what uses such an output gets no value. {remedy}.",
    means:
      "A warning of a create, which has succeeded. The access token may not read the output, or the service left it out of its answers.",
    remedy: "Check what the access token may read, then run `pulumi refresh`",
  }),
};

/** What can go wrong with every resource. */
export const resourceProblems = {
  cannotBeAdopted: defineProblem({
    says: "The {type} {id} cannot be taken over: its {name} is {was}, declared is {is}, and it cannot be changed in place. {remedy}.",
    means: "The object to adopt differs in a property that cannot be changed in place.",
    remedy: "Declare what it has, or do not adopt it",
  }),
  declaredOtherwise: defineProblem({
    says: "An interrupted run made the {type} {id}, whose {name} is not the one declared now. It is in Pulumi's state from now on: {remedy}.",
    means:
      "A run was killed while it created the object, and the program has changed since in a way that requires a replacement.",
    remedy: "The next `pulumi up` replaces it; to keep it, declare what it has",
  }),
  ownerMissing: defineProblem({
    says: "There is no {kind} with the {name} {value}, which `{input}` names: {remedy}. {cause}",
    means: "404 in a create: the token's owner can see no such project, branch or organization.",
    remedy: "Check `{input}`, that it has not been deleted, and that the token's owner may see it",
  }),
  gone: defineProblem({
    says: "The {type} {id} is not there any more: {cause} {remedy}.",
    means: "The object was deleted outside Pulumi, or during its creation.",
    remedy: "Run `pulumi refresh` to see what is gone, then `pulumi up` makes it again",
  }),
  notAnImportId: defineProblem({
    says: '"{given}" is not the import id of a {type}: it has the form {format}.',
    means: "The ID passed to `pulumi import` has another form.",
    remedy: "Use the form in the message",
  }),
};

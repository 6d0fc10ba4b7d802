import { defineProblem } from "../../client/errors/problem";

/** What can go wrong with the inputs of everything. */
export const inputProblems = {
  unknownProperty: defineProblem({
    says: "unknown property{suggestion}",
    means:
      "The program sets a property that does not exist here. The preview reports all invalid inputs at once.",
    remedy: "Use the name that the message suggests",
  }),
  unlisted: defineProblem({
    says: "{path}: this version does not know {value}; {known}. It is sent to the service as it is.",
    means:
      "Warning. The program declares a value that is in no list of this version, or a number outside of the limits that it knows. The service may have learned it since.",
    remedy: "Check the value. If the service accepts it, nothing else is to be done",
  }),
  unlistedInReplacement: defineProblem({
    says: "this version does not know {value}; {known}. The {type} would be replaced because of {names}, which deletes the current one before the service has accepted the value. Nothing was changed. {remedy}.",
    means:
      "A replacement is refused while an input has a value that is in no list of this version: if the service rejects it, the object would be gone.",
    remedy: "Declare a known value, or update the provider",
  }),
};

/** What can go wrong with every resource that looks for what exists already. */
export const findableProblems = {
  existsAlready: defineProblem({
    says: "The {type} already exists: {candidates}.{owner} Nothing was created. {steps}.",
    means: "An object with this identity exists on the service but not in the stack's state.",
    remedy:
      "If you renamed or moved the resource, keep the object with `aliases`. For a replacement of anything but a project or a branch, set `deleteBeforeReplace`. Use `adoptId` only if no resource of any program has the object. Otherwise, declare another name",
  }),
  severalFit: defineProblem({
    says: "More than one {type} matches: {candidates}. {remedy}.",
    means: "`adopt: true` found several objects.",
    remedy: 'Choose one with `adoptId: "<identifier>"`',
  }),
  adoptsEmptySecret: defineProblem({
    says: "it is empty, and the adoption would overwrite the existing value with it. {remedy}",
    means:
      "An empty secret is declared together with `adopt`. `pulumi import` prints an empty text for a secret that the service does not return.",
    remedy: "Declare the value, or import the resource, which leaves the value as it is",
  }),
  mayHaveMade: defineProblem({
    says: "The outcome of the create at {time} is unknown. Either it or someone else created the {type} {candidates}. Nothing was taken over. {remedy}.",
    means:
      "A create failed or its run was killed, and a new object exists. The provider takes it over only if the service shows that it was created between the request and its answer and has everything that was sent.",
    remedy:
      'If it is yours, add `adoptId: "{id}"` to the resource. If not, leave it and declare another name, or have whoever created it remove it',
  }),
  madeTwice: defineProblem({
    says: "The create of the {type} {id} probably made a second one: the service now also has {candidates}. A gateway may have sent the request twice, or someone else created it at the same time. It is not in Pulumi's state, and the provider does not delete it. {remedy}.",
    means:
      "Warning. The service creates a second object when a request arrives twice, and a listing after the create shows one that did not exist before.",
    remedy:
      "Look at it in the service's console, as it may cost money. If nobody needs it, delete it there. Keep {id}, which is in Pulumi's state",
  }),
};

/** What can go wrong with a resource that cannot be imported. */
export const importProblems = {
  notImportable: defineProblem({
    says: "A {type} cannot be imported: {refusal} {remedy}.",
    means: "The service does not return what an import needs.",
    remedy:
      "Declare the resource and run `pulumi up`. Remove its entry from the import file, because it stops the others",
  }),
};

/** What can go wrong with a resource that can be protected from its deletion. */
export const protectionProblems = {
  notReplaced: defineProblem({
    says: "A change of {name} replaces the {type}: the current one and everything in it would be deleted. The program declares {declared}, the state has {found}. Its `{protection}` is {why}. Nothing was changed. {remedy}. {dependents}.",
    means:
      "A property that cannot be changed in place differs, because of an edit or of a change outside Pulumi. The object has data and is replaced only if the state has `{protection}: false`.",
    remedy:
      "If it was changed outside Pulumi, run `pulumi refresh` first. To keep the current one, {keep}. Only if it may be deleted, declare `{protection}: false` without the change, run `pulumi up`, then make the change",
  }),
  notDeleted: defineProblem({
    says: "The {type} {id} was not deleted: its `{protection}` is on, {why}. {remedy}. {dependents}.",
    means: "The resource is being destroyed or was removed from the program, and deletion protection is on.",
    remedy:
      "To delete it, declare `{protection}: false`, run `pulumi up`, then destroy. To keep it, remove it from the state with `pulumi state delete '{urn}'`. If it no longer exists, run `pulumi refresh`",
  }),
};

/** What can go wrong with a resource that has an input for its creation alone. */
export const fixedProblems = {
  neverReplaced: defineProblem({
    says: "The provider can change {name} of a {type} neither in place nor by a replacement. The program declares {declared}, the state has {found}. Nothing was changed. {remedy}. {advice}",
    means: "The program declares another value than the object was made with.",
    remedy: "To leave it as it is, {keep}",
  }),
};

/** What can go wrong with a resource that moves. */
export const moveProblems = {
  movesToo: defineProblem({
    says: "A change of {name} replaces the {type}, which is also to be moved elsewhere. The program declares {declared}, the state has {found}. Nothing was changed. {remedy}.",
    means:
      "A property that cannot be changed in place differs together with one that moves the object, because of edits or of changes outside Pulumi.",
    remedy:
      "If it was changed outside Pulumi, run `pulumi refresh` first. To keep the current one and move it, {keep}",
  }),
};

/** What is said of a resource that is replaced only while it holds nothing. */
export const keepingProblems = {
  keptAsItIs: defineProblem({
    says: "A change of {name} would replace the {type}. The program declares {declared}, the state has {found}. Nothing was changed. {remedy}. {advice}",
    means: "By the state, the object holds something that a replacement would lose.",
    remedy: "To leave it as it is, {keep}",
  }),
};

/** What is said of a resource with outputs that programs rely on. */
export const requiredOutputProblems = {
  notShown: defineProblem({
    says: "The service does not return {outputs} of the {type}, so these outputs have no value. {remedy}.",
    means:
      "Warning after a successful create. The access token may not read the output, or the service omitted it.",
    remedy: "Check the permissions of the access token, then run `pulumi refresh`",
  }),
};

/** What can go wrong with every resource. */
export const resourceProblems = {
  replacedWhenTargeted: defineProblem({
    says: "A change of {name} replaces the {type}, which deletes {deletes}. The program declares {declared}, the state has {found}. Nothing was changed. {remedy}.",
    means:
      "A property that cannot be changed in place differs, because of an edit or of a change outside Pulumi. The replacement could delete what this program did not make.",
    remedy:
      "If it was changed outside Pulumi, run `pulumi refresh` first. To keep the current one, {keep}. Only if it may be deleted, {option}run `pulumi up --target-replace '{urn}'`",
  }),
  cannotBeAdopted: defineProblem({
    says: "The {type} {id} cannot be taken over: its {name} is {was}, the program declares {is}, and it cannot be changed in place. {remedy}.",
    means: "The object to adopt differs in a property that cannot be changed in place.",
    remedy: "Declare its current value, or do not adopt it",
  }),
  declaredOtherwise: defineProblem({
    says: "An interrupted run created the {type} {id} with another {name} than the program declares now. It is now in Pulumi's state. {remedy}.",
    means:
      "A run was killed while it created the object, and the program has changed since. The change requires a replacement.",
    remedy:
      "To keep it, run `pulumi refresh` and declare its current value. Otherwise, the next `pulumi up` replaces it, or says why it does not",
  }),
  ownerMissing: defineProblem({
    says: "`{input}`: no {kind} has the {name} {value}. {remedy}. {cause}",
    means:
      "The service answered 404 to a create: the token's owner sees no such project, branch or organization.",
    remedy: "Check `{input}`, that it has not been deleted, and that the token's owner has access to it",
  }),
  gone: defineProblem({
    says: "The {type} {id} no longer exists: {cause} {remedy}.",
    means: "The object was deleted outside Pulumi or during its creation.",
    remedy: "Run `pulumi refresh` to see what is gone, then `pulumi up` to recreate it",
  }),
  notAnImportId: defineProblem({
    says: '"{given}" is not an import ID of a {type}. The form is {format}.',
    means: "The ID passed to `pulumi import` has the wrong form.",
    remedy: "Use the form in the message",
  }),
};

import { defineProblem } from "../client/errors/problem";

/** What can go wrong with every listing. */
export const listingProblems = {
  saysNothingOfWhatIsInIt: defineProblem({
    says: "{error} {owner}, so nothing that belongs to it is taken to be gone: what was asked for may be switched off, or the token may not see it. {remedy}.",
    means:
      "404 for a collection, such as the secrets of a project, which proves nothing about its contents. Each page lists the permissions; with `project_admin_read` the provider also checks the project itself.",
    remedy: "Give the token the permissions that it needs, and run again",
  }),
  withoutItsList: defineProblem({
    says: "{operation}: the service answered without `{field}`; nothing is taken to be gone. {remedy}.",
    means: "The answer to a listing lacks the list. If the error persists, report it.",
    remedy: "Run again",
  }),
};

/** What can go wrong where a resource waits, as every one does. */
export const waitingProblems = {
  gaveUp: defineProblem({
    says: "Gave up waiting for {what} at the deadline; last seen: {reason}. {remedy}.",
    means: "The step timed out before the service finished. What was created stays in the state.",
    remedy: "The next run continues from here; raise `timeouts` if it needs longer",
  }),
  paused: defineProblem({
    says: "The {subject} {ref} is paused (INACTIVE), and what is paused takes no changes. {how}, and run again. To destroy the {subject} with all that it has, set the resource option `deletedWith` on what it has.",
    means: "The project or branch is paused.",
    remedy:
      "Declare `paused: false` in the Project, or restore it in the service's console; for a destroy of everything set `deletedWith`",
  }),
  couldNotStart: defineProblem({
    says: "The {subject} is INIT_FAILED. The service could not start it. {remedy}.",
    means: "The project is in a state that it does not leave by itself.",
    remedy:
      "Look at it in the service's own console or ask its support. To make it anew, remove it with `pulumi destroy --target <its URN> --target-dependents` and run `pulumi up`; if you delete it in the console instead, run `pulumi up --refresh`",
  }),
};

/** What can go wrong where the REST layer is waited for. */
export const restProblems = {
  restWithoutSchema: defineProblem({
    says: "the service rest of {ref} is not healthy and was not waited for: its `dbSchema` is empty, and so it never becomes healthy. {remedy}.",
    means: "A warning: the REST layer has no schema.",
    remedy:
      "Set `dbSchema` of the resource `RestLayerConfig`, or a schema in the service's own console, or leave `rest` out of `waitForServices`",
  }),
};

/** What can go wrong where realtime is waited for. */
export const realtimeProblems = {
  realtimeSuspended: defineProblem({
    says: "the service realtime of {ref} is not healthy and was not waited for: it is suspended. {remedy}.",
    means: "A warning: realtime is suspended.",
    remedy: "End the suspension in realtime's configuration, or leave `realtime` out of `waitForServices`",
  }),
};

/** What can go wrong with every configuration. */
export const settingsProblems = {
  refused: defineProblem({
    says: "{type} of {ref}: the service refuses {settings}, so nothing of it was changed. {remedy}. {cause}",
    means: "400, 409 or 422: the service does not take the value of a setting, or not without another one.",
    remedy: "Correct what the message names by its path in the program",
  }),
  notAllowed: defineProblem({
    says: "{type} of {ref}: nothing of {settings} was changed. {cause}",
    means: "403: the token may read the configuration but not change it.",
    remedy: "Use a token with the permissions that the message lists",
  }),
  cannotBeUnset: defineProblem({
    says: "the API cannot unset {settings} of the {type} {ref}, which had no value before this program set it: the present value stays. {remedy}.",
    means:
      "A warning: a setting that had no value before is managed no longer, and the API takes values for it only. It keeps the last one.",
    remedy: "To have another value, declare it, or set it in the service's own console",
  }),
  notRestored: defineProblem({
    says: "the service does not show {settings} of the {type} {ref}, so what was there before this program set it is not known: the present value stays. {remedy}.",
    means:
      "A warning: the resource was deleted, and a setting that the service does not show could not be restored.",
    remedy: "Where another value is wanted, set it in the service's own console",
  }),
  lostSecret: defineProblem({
    says: "what {settings} of the {type} {ref} was before this program set it is not known any more: a secret that was found is kept in Pulumi's state alone, and there it was lost. The present value stays. {remedy}.",
    means:
      "A warning: a setting that is a secret is managed no longer. What it was before was found by a run that was killed, or by a resource that was renamed without `aliases`.",
    remedy: "Where another value is wanted, set it in the service's own console",
  }),
};

/** What can go wrong where going back to what was found lets more in. */
export const openingProblems = {
  opened: defineProblem({
    says: "{settings} of the {type} {ref} went back to what was there before this program set it, which lets more in than the program did. {remedy}.",
    means: "A warning: the resource was deleted, and what it found was less restricted.",
    remedy: "To restrict it again, declare it in a program, or set it in the service's own console",
  }),
};

/** What can go wrong with a configuration that each write replaces, where several programs write it. */
export const sharedSettingsProblems = {
  writtenElsewhere: defineProblem({
    says: "{settings} of the {type} {ref}: another program has set another value since this one wrote its own, and the other value stays. {remedy}.",
    means:
      "A warning: two programs declare the same setting with different values, and both ran at the same time.",
    remedy: "Take the setting out of one of the two programs; `pulumi refresh` shows the present value",
  }),
};

/** What can go wrong with a configuration that takes texts from files. */
export const settingFileProblems = {
  textTwice: defineProblem({
    says: "`{setting}` is given as well: only one of the two may be",
    means: "A text is given both in the program and as a file.",
    remedy: "Take one out",
  }),
  unreadableFile: defineProblem({
    says: "{path} cannot be read: {why}",
    means: "A file that is to hold the text of a setting is not there, or cannot be read.",
    remedy: "Correct the path, which is relative to the program's folder",
  }),
  emptyFile: defineProblem({
    says: "{path} is empty: {remedy}",
    means: "A file that is to hold the text of a setting has none: a build may have failed.",
    remedy: "Write the text; to have none, give an empty text instead of the file",
  }),
};

/** What can go wrong where a project's signing keys change. */
export const signingKeyProblems = {
  tooSoon: defineProblem({
    says: "the last change is not long enough ago ({answer})",
    means: "The service requires several minutes between two changes to a key's state. The provider waits.",
    remedy: "Nothing, or a longer timeout",
  }),
  afterDeadline: defineProblem({
    says: "The service takes {what} from {time} on, which is after the deadline, so it was not waited for and not made (the service says: {answer}). {remedy}.",
    means:
      "The service accepts the change only from a certain time, such as for the first new key of a new project. The provider waits if that time is before the deadline.",
    remedy: "Run again then, or raise `timeouts`",
  }),
};

/** What can go wrong with an action that destroys something. */
export const actionProblems = {
  notConfirmed: defineProblem({
    says: "expected {ref}, as in `{target}`, and got {confirm}: this action destroys data of it that nothing brings back. Nothing was done. {remedy}.",
    means: "`confirm` does not name what the action is done to.",
    remedy: "Set `confirm` to that reference if it is what you want to be changed",
  }),
};

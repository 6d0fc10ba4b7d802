import { defineProblem } from "../client/errors/problem";

/** What can go wrong with every listing. */
export const listingProblems = {
  saysNothingOfWhatIsInIt: defineProblem({
    says: "{error} {owner}, so its objects are treated as still present. The feature may be disabled, or the token may lack a permission. {remedy}.",
    means:
      "The service answered 404 for a collection, such as the secrets of a project. This does not prove that its objects are gone. With the permission `project_admin_read`, the provider also checks the project itself.",
    remedy: "Give the token the permissions that the resource's page lists, then run again",
  }),
  withoutItsList: defineProblem({
    says: "{operation} failed: the answer has no `{field}`. All objects are treated as still present. {remedy}.",
    means: "The answer to a listing has no list.",
    remedy: "Run again",
  }),
};

/** What can go wrong where a resource waits, as every one does. */
export const waitingProblems = {
  gaveUp: defineProblem({
    says: "Timed out waiting for {what}; last seen: {reason}. {remedy}.",
    means: "The step timed out before the service had finished. What was created is in the state.",
    remedy: "Run again to continue from here. Raise `timeouts` if it needs longer",
  }),
  paused: defineProblem({
    says: "The {subject} {ref} is paused (INACTIVE) and accepts no changes. {how}, then run again. To destroy the {subject} with everything in it, set the resource option `deletedWith` on the resources in it.",
    means: "The project or branch is paused.",
    remedy:
      "Declare `paused: false` in the Project, or restore it in the service's console. To destroy everything, set `deletedWith`",
  }),
  couldNotStart: defineProblem({
    says: "The {subject} is INIT_FAILED: the service could not start it. {remedy}.",
    means: "The project is in a state that does not change without action.",
    remedy:
      "Check it in the service's console or ask the service's support. To recreate it, run `pulumi destroy --target '{urn}' --target-dependents`, then `pulumi up`. If you delete it in the console instead, run `pulumi up --refresh`",
  }),
};

/** What can go wrong where the REST layer is waited for. */
export const restProblems = {
  restWithoutSchema: defineProblem({
    says: "the service `rest` of {ref} is not healthy. The provider did not wait for it, because its `dbSchema` is empty and it never becomes healthy. {remedy}.",
    means: "A warning: the REST layer has no schema.",
    remedy:
      "Set `dbSchema` in `RestLayerConfig` or in the service's console. Or, in a `Project`, omit `rest` from `waitForServices`",
  }),
};

/** What can go wrong where realtime is waited for. */
export const realtimeProblems = {
  realtimeSuspended: defineProblem({
    says: "the service `realtime` of {ref} is suspended, so the provider did not wait for it. {remedy}.",
    means: "A warning: realtime is suspended.",
    remedy:
      "Set `suspend: false` in `RealtimeConfig`. Or, in a `Project`, omit `realtime` from `waitForServices`",
  }),
};

/** What can go wrong with every configuration. */
export const settingsProblems = {
  refused: defineProblem({
    says: "{type} of {ref}: the service rejected {settings}. Nothing was changed. {remedy}. {cause}",
    means:
      "The service answered 400, 409 or 422. It rejects the value of a setting, or requires another setting with it.",
    remedy: "Correct the setting that the message names by its path in the program",
  }),
  notAllowed: defineProblem({
    says: "{type} of {ref}: the service refused to change {settings}. Nothing was changed. {cause}",
    means: "The service answered 403: the token may read the configuration but not change it.",
    remedy: "Use a token with the permissions in the message",
  }),
  restoreRefused: defineProblem({
    says: "{type} of {ref}: the service refused to restore {settings}{answer}. Nothing was changed. {remedy}.",
    means:
      "The service answered 400, 402, 403, 409 or 422 to the values from before this program, for example because the organization's plan no longer includes them.",
    remedy:
      "Make the service take the earlier values again, such as by another plan of the organization, and run again. To keep the settings as they are and end their management, remove the resource from the state with `pulumi state delete '{urn}'`, which forgets the earlier values",
  }),
  cannotBeUnset: defineProblem({
    says: "the API cannot unset {settings} of the {type} {ref}. It had no value before this program set it. The current value stays. {remedy}.",
    means:
      "Warning. The program no longer manages a setting that had no value before, and the API cannot unset it.",
    remedy: "For another value, declare it or set it in the service's console",
  }),
  ignored: defineProblem({
    says: "The service took {settings} of {type} for {ref}, and shows another value: it ignores the setting, or somebody else has changed it. {remedy}.",
    means: "Warning. What a write was to change reads back as something else.",
    remedy:
      "Run `pulumi refresh` to see the value. If the service ignores the setting, remove it from the program",
  }),
  notRestored: defineProblem({
    says: "the service does not return {settings} of the {type} {ref}, so the value from before this program is unknown. The current value stays. {remedy}.",
    means:
      "Warning. The resource was deleted, and a setting that the service does not return could not be restored.",
    remedy: "For another value, set it in the service's console",
  }),
  lostSecret: defineProblem({
    says: "the value that {settings} of the {type} {ref} had before this program is lost: such a secret is stored only in Pulumi's state. The current value stays. {remedy}.",
    means:
      "Warning. The program no longer manages a secret setting, and its earlier value is no longer in the state: the run that read it was killed, or the resource was renamed without `aliases`.",
    remedy: "For another value, set it in the service's console",
  }),
};

/** What can go wrong with settings that older services lack. */
export const unknownSettingProblems = {
  unknownSetting: defineProblem({
    says: "this service does not know {settings}: the {type} of {ref} has no such setting. Nothing was changed. {remedy}.",
    means: "The setting is newer than this version of the service: its configuration does not contain it.",
    remedy: "Remove it from the program, or declare it again once the service has been upgraded",
  }),
  unknownSettingShown: defineProblem({
    says: "this service does not know {settings}: the {type} of {ref} has no such setting, so the state keeps what the program declared. {remedy}.",
    means:
      "Warning. The state has a setting that the service's configuration does not contain, for example because the service is an older one than before.",
    remedy: "Remove it from the program, or upgrade the service",
  }),
};

/** What can go wrong with settings that an installation names otherwise than the specification. */
export const unnamedSettingProblems = {
  unnamedSetting: defineProblem({
    says: "the service returns nothing by the names of {settings}, so the {type} of {ref} would not change. Nothing was changed. {remedy}.",
    means:
      "The installation has other words for the placeholders in these names, and no names file says which, or it does not have the setting.",
    remedy:
      "Set the installation's names file with `pulumi config set management:names <path>` or MANAGEMENT_NAMES. If the service does not have the setting, remove it from the program",
  }),
  unnamedSettingShown: defineProblem({
    says: "the service returns nothing by the names of {settings}, so the state of the {type} of {ref} keeps what the program declared. {remedy}.",
    means:
      "Warning. The state has a setting that the installation names otherwise, and no names file says how, or that it does not have.",
    remedy:
      "Set the installation's names file with `pulumi config set management:names <path>` or MANAGEMENT_NAMES. If the service does not have the setting, remove it from the program",
  }),
};

/** What can go wrong where a service lacks settings that it had. */
export const omittedSettingProblems = {
  omittedSetting: defineProblem({
    says: "the {type} of the project {ref} was not wholly restored: the service no longer returns {settings}. {remedy}.",
    means: "Warning. The program no longer manages a setting, and the service's answer lacks it.",
    remedy: "If the service still has the setting, set it in the service's console",
  }),
};

/** What can go wrong where going back to what was found lets more in. */
export const openingProblems = {
  opened: defineProblem({
    says: "{settings} of the {type} {ref} has its earlier value again, which is less restrictive than the program's. {remedy}.",
    means: "Warning. The resource was deleted, and the restored value is less restrictive.",
    remedy: "To restrict it again, declare it in a program or set it in the service's console",
  }),
};

/** What can go wrong with a configuration that each write replaces, where several programs write it. */
export const sharedSettingsProblems = {
  writtenElsewhere: defineProblem({
    says: "{settings} of the {type} {ref}: another program has overwritten this program's value. The other value stays. {remedy}.",
    means: "Warning. Two programs that run at the same time declare the same setting with different values.",
    remedy: "Remove the setting from one of the two programs. `pulumi refresh` shows the current value",
  }),
};

/** What can go wrong with a configuration that takes texts from files. */
export const settingFileProblems = {
  textTwice: defineProblem({
    says: "cannot be combined with `{setting}`",
    means: "A text is declared both in the program and as a file.",
    remedy: "Remove one of the two",
  }),
  unreadableFile: defineProblem({
    says: "{path} cannot be read: {why}",
    means: "The file with the text of a setting does not exist or cannot be read.",
    remedy: "Correct the path. It is relative to the program's folder",
  }),
  emptyFile: defineProblem({
    says: "{path} is empty: {remedy}",
    means: "The file with the text of a setting is empty. A build may have failed.",
    remedy: 'Write the text. For an empty text, set `""` instead of the file',
  }),
};

/** What can go wrong where a project's signing keys change. */
export const signingKeyProblems = {
  tooSoon: defineProblem({
    says: "the last change was too recent ({answer})",
    means: "The service requires several minutes between two changes of a key's state. The provider waits.",
    remedy: "Nothing; raise `timeouts` if the wait ends too early",
  }),
  noRoom: defineProblem({
    says: "The project has as many previously used signing keys as it can{answer}. Nothing was changed. {remedy}.",
    means:
      "A project can have three previously used keys, and the key in use becomes one when another takes its place.",
    remedy:
      "Revoke a previously used key whose tokens have all expired: set the `status` of its `SigningKey` to `revoked`, or revoke it in the service's console, then run again",
  }),
  afterDeadline: defineProblem({
    says: "The service accepts {what} only from {time} on, which is after the deadline (it says: {answer}). Nothing was created. {remedy}.",
    means:
      "The service accepts the change only from a certain time on, for example the first new key of a new project. The provider waits if that time is before the deadline.",
    remedy: "Run again after that time, or raise `timeouts`",
  }),
};

/** What can go wrong with an action that destroys something. */
export const actionProblems = {
  notConfirmed: defineProblem({
    says: "expected {ref}, as in `{target}`, got {confirm}: this action destroys data that cannot be recovered. Nothing was done. {remedy}.",
    means: "`confirm` is not the reference of the project or branch whose data the action destroys.",
    remedy: "Set `confirm` to that reference if you want to lose its data",
  }),
};

/** What is said of an object that the service does not show, where that does not prove that it is gone. */
export const absenceProblems = {
  otherService: defineProblem({
    says: "The {type} {id} is not at {asked}, but Pulumi's state says that it belongs to the service at {made}. Nothing was changed. {remedy}.",
    means:
      "The base URL is not that of the service which made the object. What another service does not have may still exist.",
    remedy:
      "Set `management:baseUrl` (or MANAGEMENT_BASE_URL) to {made}. If both addresses reach the same service, list {made} in `management:baseUrlAliases`. If that service no longer exists, as after an emulator has ended, remove the resource from the state with `pulumi state delete '{urn}'`",
  }),
  stateUnknown: defineProblem({
    says: "Whether the {type} {id} still exists is unknown: the service does not show it, and the access token may not read the state of {ref}. It stays in Pulumi's state. {remedy}. {error}",
    means:
      "A paused or starting project does not show what is in it, so the provider reads the project's state before it treats an object as deleted.",
    remedy:
      "Give the token the permission `project_admin_read`, or for a branch `branching_development_read`. If the object no longer exists, remove it from the state with `pulumi state delete '{urn}'`",
  }),
  keptInState: defineProblem({
    says: "the service does not show the {type} {id}, but {reason}. This does not prove that anything was deleted, so what is not found stays in Pulumi's state. {remedy}.",
    means:
      "Warning of a refresh, once for each project. A project that is not active does not show everything in it.",
    remedy:
      "Refresh again once the project is active, with a token that can see it. If the project was deleted, remove what was in it from the state with `pulumi state delete`",
  }),
  nothingListed: defineProblem({
    says: "The service lists no {things}, though Pulumi's state has some, and the {subject} {ref} is {status}, so they may still exist. Nothing was changed. {remedy}.",
    means: "An update found an empty list in a project that is not active, which proves nothing.",
    remedy: "Run again once the project is active",
  }),
  mayExistUnlisted: defineProblem({
    says: "The service lists none of what a {type} can be, but {doubt}, which does not prove that there is none. Nothing was created. {remedy}.",
    means:
      "A create found an empty list in a project that is not active. An object that exists would be created a second time, or overwritten.",
    remedy: "Run again once the project is active",
  }),
  notFoundToDelete: defineProblem({
    says: "The {type} {id} was not found, but {reason}, so it may still exist. It stays in Pulumi's state. {remedy}.",
    means: "A delete found nothing in a project that is not active, or that the token cannot see.",
    remedy:
      "Run again once the project is active, with a token that can see it. If the project was deleted, run `pulumi refresh` and run again. If that does not help, or if only the object was deleted, remove it from the state with `pulumi state delete '{urn}'`",
  }),
};

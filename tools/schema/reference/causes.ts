import { causes, type Cause } from "./cause";
import { functionCauses } from "./function-causes";
import { resourceCauses } from "./resource-causes";

/** What can go wrong, with each message's place in the source. */
export const allCauses: readonly Cause[] = [
  ...causes("every call", [
    [
      "No base URL of the Management API",
      "config.ts",
      "Neither the environment nor the stack's configuration has it.",
      "Set `MANAGEMENT_BASE_URL`, or `pulumi config set management:baseUrl <url>`.",
    ],
    [
      "No access token",
      "config.ts",
      "There is neither a token nor the three settings of OAuth.",
      "Set `MANAGEMENT_ACCESS_TOKEN`, or `pulumi config set --secret management:accessToken <token>`.",
    ],
    [
      "The names file",
      "../spec/names/read-names.ts",
      "The file of `management:names` cannot be read, or could mean two things; the message names the line.",
      "Correct the file ([Names](../names.md)), or unset `management:names`.",
    ],
    [
      "unknown property",
      "lifecycle/describe-issue.ts",
      "The program gives something that does not exist here. All faults of the inputs are told at once, in the preview.",
      "Use the name that the message suggests.",
    ],
    [
      "The access token is wrong, expired or revoked",
      "client/api-error.ts",
      "401: the service does not know the token.",
      "Set a valid one.",
    ],
    [
      "The operation needs",
      "client/api-error.ts",
      "403: the token lacks a permission or an OAuth scope, or its owner may not reach the object.",
      "Give the token what the message names; each page lists what its operations need.",
    ],
    [
      "A quota of the organization's plan is used up",
      "client/api-error.ts",
      "402: the plan allows no more.",
      "Remove what is unused, or change the plan.",
    ],
    [
      "no calls are left in time",
      "client/api-error.ts",
      "429 until the deadline: the rate limit is used up, by other users of the account as well. The provider waits and tries again by itself before it says so.",
      "Allow more time with `timeouts` or `customTimeouts`, or see what else uses the account.",
    ],
    [
      "The answer is not the service's own",
      "client/api-error.ts",
      "404 or 406 from a gateway or another server. Nothing is taken to be gone.",
      "Check the base URL, and what stands before the service.",
    ],
    [
      "is not followed, since the token must stay with the configured address",
      "client/api-error.ts",
      "The service redirects to another place.",
      "Correct the base URL.",
    ],
    [
      "The fault lies with the service",
      "client/api-error.ts",
      "5xx after several tries.",
      "Run again later; what was begun is gone on with.",
    ],
  ]),
  ...causes("findable resource", [
    [
      "exists already:",
      "lifecycle/candidates.ts",
      "The service has an object of this identity that is not in the stack's state. Nothing was created.",
      "Take it over with the `adopt` line that the message gives, or declare another name.",
    ],
    [
      "fits what is declared",
      "lifecycle/candidates.ts",
      "`adopt: true` finds several objects.",
      'Name the one to take over: `adopt: "<identifier>"`.',
    ],
    [
      "may have made the",
      "lifecycle/candidates.ts",
      "A run was killed before the service's answer came, and nothing proves whose the object is.",
      "If it is yours, take it over with the `adopt` line that the message gives; if not, declare another one.",
    ],
  ]),
  ...causes("resource", [
    [
      "cannot be taken over: its",
      "lifecycle/take-over.ts",
      "The object to adopt differs in a property that cannot be changed in place.",
      "Declare what it has, or do not adopt it.",
    ],
    [
      "is not the one declared now",
      "lifecycle/resume.ts",
      "A run was killed while it made the object, and the program has changed since in a way that takes a replacement.",
      "Run `pulumi up` again, which replaces it, or declare what it has.",
    ],
    [
      "is not there any more:",
      "lifecycle/gone-error.ts",
      "It was deleted behind Pulumi's back, or while it was being made.",
      "`pulumi refresh` shows what is gone; `pulumi up` then makes it again.",
    ],
    [
      "is not the import id of a",
      "lifecycle/import.ts",
      "`pulumi import` was given an id of another form.",
      "Use the form that the message names.",
    ],
  ]),
  ...causes("every call", [
    [
      "so nothing that belongs to it is taken to be gone",
      "converge/owner.ts",
      "404 of a collection, as of all secrets of a project: that says nothing about what is in it. Nothing was changed.",
      "Give the token the permissions that the page lists, and `project_admin_read`, with which the project itself is asked.",
    ],
    [
      "nothing is taken to be gone. Run again",
      "converge/listings.ts",
      "The service answered a listing without its list. Nothing was changed.",
      "Run again; report it if it lasts.",
    ],
  ]),
  ...causes("where it is said", [
    [
      "Gave up waiting for",
      "converge/poll.ts",
      "The step's time was over before the service was done. What was made stays in state.",
      "Run again: it goes on from there. Raise the timeout if it needs longer.",
    ],
    [
      "and what is paused takes no changes",
      "converge/project-state.ts",
      "The project or branch is paused. Nothing was changed.",
      "Declare `paused: false` in the Project, or restore it in the service's console; for a destroy of everything set `deletedWith`.",
    ],
    [
      "is not healthy and was not waited for",
      "converge/project-health.ts",
      "A warning: the REST layer has no schema, so it never becomes healthy.",
      "Set a schema in the REST layer's configuration, or leave `rest` out of `waitForServices`.",
      ["Project", "Branch"],
    ],
  ]),
  ...resourceCauses,
  ...functionCauses,
];

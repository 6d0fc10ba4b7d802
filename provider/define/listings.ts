import type { ManagementClient } from "../client";
import type { Iterations } from "../client/iterations";
import type { OperationName } from "../../spec/table";

/** The collections that handlers read, and the field of the answer that holds the objects; "" where it is the list itself. */
export const LIST_FIELDS = {
  listAddons: "selected_addons",
  listApiKeys: "",
  listBranches: "",
  listBuckets: "",
  listFunctions: "",
  listJitUsers: "items",
  listLogDrains: "data",
  listMembers: "",
  listNetworkBansEnriched: "banned_ipv4_addresses",
  listMigrations: "",
  listOrganizations: "",
  // The latest of them, as many as are asked for.
  listOrganizationWebhookDeliveries: "data",
  listPoolerConfigs: "",
  listProjects: "",
  listProjectWebhookDeliveries: "data",
  listRestoreVersions: "available_versions",
  listSecrets: "",
  listSigningKeys: "keys",
  listSsoProviders: "items",
  listThirdPartyAuth: "",
} as const;

/** Answers of which more than a list is read, or that are not named as listings: the operation, and the lists that must be in its answer. */
export const WHOLE_ANSWERS = {
  addons: ["listAddons", ["selected_addons", "available_addons"]],
  backups: ["listBackups", ["backups"]],
  entitlements: ["getEntitlements", ["entitlements"]],
} as const;

/** Collections that come page by page. */
export const PAGED = [
  "listActionRuns",
  "listOrganizationProjects",
  "listOrganizationWebhookEndpoints",
  "listProjectWebhookEndpoints",
  "listSnippets",
] as const;

type WholeListName = keyof typeof LIST_FIELDS;
type PagedListName = (typeof PAGED)[number];
type WholeAnswerName = keyof typeof WHOLE_ANSWERS;
type WholeAnswerCall<N extends WholeAnswerName> = (typeof WHOLE_ANSWERS)[N];

type CallAnswer<N extends OperationName> = Awaited<ReturnType<ManagementClient[N]>>;
type ListField<N extends WholeListName> = (typeof LIST_FIELDS)[N];
type ListContent<T, F> = F extends keyof T ? NonNullable<T[F]> : T;
type RequiredLists<T, F> = Omit<T, F & string> & { readonly [K in F & keyof T]: NonNullable<T[K]> };
type PageIterator<N extends PagedListName> = ReturnType<Iterations[N]>;

/**
 * Collections as a whole. What is missing in one is not there: an answer without its list, pages that do not agree, and
 * a 404 of the collection, while its project or organization is there, are errors.
 */
export type Listings = {
  readonly [N in WholeListName]: (
    ...args: [Parameters<ManagementClient[N]>[0]]
  ) => Promise<ListContent<CallAnswer<N>, ListField<N>>>;
} & {
  readonly [N in WholeAnswerName]: (
    ...args: [Parameters<ManagementClient[WholeAnswerCall<N>[0]]>[0]]
  ) => Promise<RequiredLists<CallAnswer<WholeAnswerCall<N>[0]>, WholeAnswerCall<N>[1][number]>>;
} & {
  readonly [N in PagedListName]: (
    parameters: NonNullable<Parameters<Iterations[N]>[0]>,
  ) => Promise<PageIterator<N> extends AsyncGenerator<infer T> ? T[] : never>;
} & {
  /** The first of an organization's projects, in one call. */
  readonly firstOrganizationProjects: (
    parameters: Pick<Parameters<ManagementClient["listOrganizationProjects"]>[0], "slug">,
  ) => Promise<FirstProjects>;
};

export interface FirstProjects {
  readonly projects: NonNullable<CallAnswer<"listOrganizationProjects">["projects"]>;
  /** Whether there are no others. */
  readonly isWhole: boolean;
  /** How many calls list all. */
  readonly pages: number;
}

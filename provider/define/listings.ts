import type { ManagementClient } from "../client";
import type { Iterations } from "../client/iterations";

/** The collections that handlers read, and the field of the answer that holds the objects; "" where it is the list itself. */
export const LIST_FIELDS = {
  listAddons: "selected_addons",
  listApiKeys: "",
  listBranches: "",
  listBuckets: "",
  listFunctions: "",
  listJitUsers: "items",
  listMembers: "",
  listNetworkBansEnriched: "banned_ipv4_addresses",
  listMigrations: "",
  listOrganizations: "",
  listPoolerConfigs: "",
  listSecrets: "",
  listSigningKeys: "keys",
  listSsoProviders: "items",
  listThirdPartyAuth: "",
} as const;

/** Further lists of an answer: the operation, and the field that holds the objects. */
export const LISTS_BESIDE = {
  offeredAddons: ["listAddons", "available_addons"],
} as const;

/** Collections that come page by page. */
export const PAGED = ["listActionRuns", "listOrganizationProjects"] as const;

type WholeName = keyof typeof LIST_FIELDS;
type PagedName = (typeof PAGED)[number];
type Beside<N extends keyof typeof LISTS_BESIDE> = (typeof LISTS_BESIDE)[N];

type Answer<N extends WholeName | PagedName> = Awaited<ReturnType<ManagementClient[N]>>;
type Field<N extends WholeName> = (typeof LIST_FIELDS)[N];
type Held<T, F> = F extends keyof T ? NonNullable<T[F]> : T;
type Page<N extends PagedName> = ReturnType<Iterations[N]>;

/**
 * Collections as a whole. What is missing in one is not there: an answer without its list, pages that do not agree, and
 * a 404 of the collection, while its project or organization is there, are errors.
 */
export type Listings = {
  readonly [N in WholeName]: (
    ...args: [Parameters<ManagementClient[N]>[0]]
  ) => Promise<Held<Answer<N>, Field<N>>>;
} & {
  readonly [N in keyof typeof LISTS_BESIDE]: (
    ...args: [Parameters<ManagementClient[Beside<N>[0]]>[0]]
  ) => Promise<Held<Answer<Beside<N>[0]>, Beside<N>[1]>>;
} & {
  readonly [N in PagedName]: (
    parameters: NonNullable<Parameters<Iterations[N]>[0]>,
  ) => Promise<Page<N> extends AsyncGenerator<infer T> ? T[] : never>;
} & {
  /** The add-ons that a project has and those that it can have, in one call. */
  readonly addons: (parameters: Parameters<ManagementClient["listAddons"]>[0]) => Promise<{
    readonly selected: Held<Answer<"listAddons">, "selected_addons">;
    readonly available: Held<Answer<"listAddons">, "available_addons">;
  }>;
  /** The first of an organization's projects, in one call. */
  readonly firstOrganizationProjects: (
    parameters: Pick<Parameters<ManagementClient["listOrganizationProjects"]>[0], "slug">,
  ) => Promise<FirstProjects>;
};

export interface FirstProjects {
  readonly projects: NonNullable<Answer<"listOrganizationProjects">["projects"]>;
  /** Whether there are no others. */
  readonly isWhole: boolean;
  /** How many calls list all. */
  readonly pages: number;
}

import { ResponseSchemaError } from "./errors/errors";
import type { CallOptions } from "./call-subject";
import type { Calls } from "./calls.generated";
import { iteratePages, computeNextOffset } from "./paging";
import type { AnswerOf, ParametersOf } from "./signatures";

const PAGE_SIZE = 100;

/** Webhook endpoints come in pages of their own size, of which each offset is a multiple (service, Webhooks). */
const ENDPOINTS_PAGE_SIZE = 20;

interface PageOptions {
  /** Objects asked for with one request; 100 when absent. */
  readonly pageSize?: number;
}

/** The parameters of a listing without those that say which page. */
type UnpagedParameters<T> = Omit<T, "offset" | "limit" | "cursor"> & PageOptions;

/** The same of the second version of the API, whose pages have a size of their own. */
type UnpagedParametersOfSecond<T> = Omit<T, `page[${string}]`>;

type ItemIterator<T> = AsyncGenerator<T, void, undefined>;

type OrganizationProject = NonNullable<AnswerOf<"listOrganizationProjects">["projects"]>[number];
type Snippet = NonNullable<AnswerOf<"listSnippets">["data"]>[number];
type ProjectWebhookEndpoint = NonNullable<AnswerOf<"listProjectWebhookEndpoints">["data"]>[number];
type OrganizationWebhookEndpoint = NonNullable<AnswerOf<"listOrganizationWebhookEndpoints">["data"]>[number];
type ListedActionRun = AnswerOf<"listActionRuns">[number];

/** Paginated listings, object by object: `for await (const run of client.iterate.listActionRuns({ ref }))`. */
export interface Iterations {
  /** All projects of an organization, branches and read replicas included; pages by offset. */
  readonly listOrganizationProjects: (
    parameters: UnpagedParameters<ParametersOf<"listOrganizationProjects">>,
    options?: CallOptions,
  ) => ItemIterator<OrganizationProject>;
  /** All action runs of a project or branch; pages by offset. */
  readonly listActionRuns: (
    parameters: UnpagedParameters<ParametersOf<"listActionRuns">>,
    options?: CallOptions,
  ) => ItemIterator<ListedActionRun>;
  /** All SQL snippets of the token's owner; pages by cursor. */
  readonly listSnippets: (
    parameters?: UnpagedParameters<ParametersOf<"listSnippets">>,
    options?: CallOptions,
  ) => ItemIterator<Snippet>;
  /** All webhook endpoints of a project; pages by offset. */
  readonly listProjectWebhookEndpoints: (
    parameters: UnpagedParametersOfSecond<ParametersOf<"listProjectWebhookEndpoints">>,
    options?: CallOptions,
  ) => ItemIterator<ProjectWebhookEndpoint>;
  /** All webhook endpoints of an organization; pages by offset. */
  readonly listOrganizationWebhookEndpoints: (
    parameters: UnpagedParametersOfSecond<ParametersOf<"listOrganizationWebhookEndpoints">>,
    options?: CallOptions,
  ) => ItemIterator<OrganizationWebhookEndpoint>;
}

/** Without its list an answer says nothing about what there is. */
function requireList<T>(list: T[] | null | undefined, operation: string, path: string): T[] {
  if (list != null) return list;
  throw new ResponseSchemaError(
    `${operation} failed: the answer has no \`${path}\`. Try again.`,
    operation,
    path,
  );
}

interface EndpointsPage<T> {
  readonly data?: T[] | null | undefined;
  readonly links?: { readonly next?: string | null | undefined } | null | undefined;
}

/** Webhook endpoints of a project or an organization: `fetch` asks for a page by what `page[…]` says of it. */
function iterateEndpoints<T extends { readonly id: string }>(
  name: "listProjectWebhookEndpoints" | "listOrganizationWebhookEndpoints",
  options: CallOptions | undefined,
  fetch: (page: { "page[offset]": string; "page[limit]": string }) => Promise<EndpointsPage<T>>,
): ItemIterator<T> {
  return iteratePages<T, number>({
    name,
    first: 0,
    keyOf: ({ id }) => id,
    signal: options?.signal,
    fetch: async (offset) => {
      const limit = String(ENDPOINTS_PAGE_SIZE);
      const page = await fetch({ "page[offset]": String(offset), "page[limit]": limit });
      const items = requireList(page.data, name, "data");
      return { items, next: computeLinkedOffset(offset, items.length, page.links?.next) };
    },
  });
}

/** Where the next page begins: by its link, which names the offset; without any links, a full page is followed by another. */
function computeLinkedOffset(
  offset: number,
  received: number,
  link: string | null | undefined,
): number | undefined {
  const isLast = link === undefined ? received < ENDPOINTS_PAGE_SIZE : link === null || link === "";
  if (isLast || received === 0) return undefined;
  const named = /[?&]page(?:\[|%5B)offset(?:\]|%5D)=(\d{1,9})(?:&|$)/i.exec(link ?? "")?.[1];
  return named === undefined ? offset + ENDPOINTS_PAGE_SIZE : Number(named);
}

export function createIterations(calls: Calls): Iterations {
  return {
    listOrganizationProjects: ({ pageSize = PAGE_SIZE, ...rest }, options) =>
      iteratePages<OrganizationProject, number>({
        name: "listOrganizationProjects",
        first: 0,
        keyOf: ({ ref }) => ref,
        signal: options?.signal,
        fetch: async (offset) => {
          const page = await calls.listOrganizationProjects({ ...rest, offset, limit: pageSize }, options);
          const items = requireList(page.projects, "listOrganizationProjects", "projects");
          const { count } = page.pagination ?? {};
          return {
            items,
            next: computeNextOffset(offset, items.length, pageSize, page.pagination),
            count: count ?? undefined,
          };
        },
      }),
    listActionRuns: ({ pageSize = PAGE_SIZE, ...rest }, options) =>
      iteratePages<ListedActionRun, number>({
        name: "listActionRuns",
        first: 0,
        keyOf: ({ id }) => id,
        signal: options?.signal,
        fetch: async (offset) => {
          const items = await calls.listActionRuns({ ...rest, offset, limit: pageSize }, options);
          return { items, next: computeNextOffset(offset, items.length, pageSize) };
        },
      }),
    listSnippets: ({ pageSize = PAGE_SIZE, ...rest } = {}, options) =>
      iteratePages<Snippet, string>({
        name: "listSnippets",
        first: "",
        keyOf: ({ id }) => id,
        signal: options?.signal,
        fetch: async (cursor) => {
          const at = cursor === "" ? {} : { cursor };
          const page = await calls.listSnippets({ ...rest, ...at, limit: String(pageSize) }, options);
          const items = requireList(page.data, "listSnippets", "data");
          return { items, next: page.cursor || undefined };
        },
      }),
    listProjectWebhookEndpoints: (parameters, options) =>
      iterateEndpoints("listProjectWebhookEndpoints", options, (page) =>
        calls.listProjectWebhookEndpoints({ ...parameters, ...page }, options),
      ),
    listOrganizationWebhookEndpoints: (parameters, options) =>
      iterateEndpoints("listOrganizationWebhookEndpoints", options, (page) =>
        calls.listOrganizationWebhookEndpoints({ ...parameters, ...page }, options),
      ),
  };
}

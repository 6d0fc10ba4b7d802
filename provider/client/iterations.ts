import { ResponseSchemaError } from "./errors/errors";
import type { CallOptions } from "./call-subject";
import type { Calls } from "./calls.generated";
import { iteratePages, computeNextOffset } from "./paging";
import type { AnswerOf, ParametersOf } from "./signatures";

const PAGE_SIZE = 100;

interface PageOptions {
  /** Objects asked for with one request; 100 when absent. */
  readonly pageSize?: number;
}

/** The parameters of a listing without those that say which page. */
type UnpagedParameters<T> = Omit<T, "offset" | "limit" | "cursor"> & PageOptions;

type ItemIterator<T> = AsyncGenerator<T, void, undefined>;

type OrganizationProject = NonNullable<AnswerOf<"listOrganizationProjects">["projects"]>[number];
type Snippet = NonNullable<AnswerOf<"listSnippets">["data"]>[number];
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
  };
}

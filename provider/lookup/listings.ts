import type { CallOptions } from "../client/call-subject";
import { ResponseSchemaError } from "../client/errors/errors";
import { createIterations } from "../client/iterations";
import { ListingMovedError } from "../client/paging";
import { LIST_FIELDS, PAGED, WHOLE_ANSWERS, type FirstProjects, type Listings } from "../define/listings";
import { failIfOwnerGone, type CallContext, type CallParameters } from "./owner";
import { listingProblems } from "../define/problems";

/** How often a listing is begun anew whose pages do not belong together. */
const ATTEMPTS = 3;
const PAGE_SIZE = 100;

type CollectionRead = (parameters: CallParameters) => Promise<unknown>;
type CollectionCall = (parameters: CallParameters, options: CallOptions) => Promise<unknown>;
type CollectionIteration = (parameters: CallParameters, options: CallOptions) => AsyncGenerator;

/** What happens around each of the reads. */
type ReadWrapper = <T>(name: string, parameters: CallParameters, read: () => Promise<T>) => Promise<T>;

/** The collections of the service, each whole or an error. */
export function createListings(calling: CallContext, around: ReadWrapper): Listings {
  const { client, options } = calling;
  const reads: Record<string, CollectionRead> = {};
  for (const [name, field] of Object.entries(LIST_FIELDS)) {
    reads[name] = async (parameters) =>
      requireList(await findCollectionCall(client, name)(parameters, options), name, field);
  }
  for (const [name, [operation, lists]] of Object.entries(WHOLE_ANSWERS)) {
    reads[name] = async (parameters) => {
      const answer = await findCollectionCall(client, operation)(parameters, options);
      for (const field of lists) requireList(answer, operation, field);
      return answer;
    };
  }
  const iterations = createIterations(client);
  for (const name of PAGED) {
    const iterate = iterations[name] as unknown as CollectionIteration;
    reads[name] = (parameters) => collectAll(() => iterate(parameters, options));
  }
  const strict = Object.entries(reads).map(([name, read]): [string, CollectionRead] => [
    name,
    (parameters) =>
      around(name, parameters, () => failIfOwnerGone(calling, parameters, () => read(parameters))),
  ]);
  const readFirstProjects: Listings["firstOrganizationProjects"] = (parameters) =>
    failIfOwnerGone(calling, parameters, () => readFirstPage(calling, parameters.slug));
  // Each read returns what its operation's answer holds, from which its type is derived.
  return {
    ...Object.fromEntries(strict),
    firstOrganizationProjects: readFirstProjects,
  } as unknown as Listings;
}

/** An operation of the client, whose parameters go through unseen. */
function findCollectionCall(client: CallContext["client"], operation: string): CollectionCall {
  return client[operation as keyof typeof LIST_FIELDS] as unknown as CollectionCall;
}

async function readFirstPage({ client, options }: CallContext, slug: string): Promise<FirstProjects> {
  const name = "listOrganizationProjects";
  const answer = await client[name]({ slug, limit: PAGE_SIZE }, options);
  const projects = requireList(answer, name, "projects") as FirstProjects["projects"];
  const count = answer.pagination?.count;
  const isWhole = count == null ? projects.length < PAGE_SIZE : projects.length >= count;
  return { projects, isWhole, pages: Math.ceil((count ?? projects.length) / PAGE_SIZE) };
}

/** Without its list an answer says nothing about what there is. */
function requireList(answer: unknown, operation: string, field: string): readonly unknown[] {
  const held: unknown = field === "" ? answer : Reflect.get(Object(answer) as object, field);
  if (Array.isArray(held)) return held;
  throw new ResponseSchemaError(
    listingProblems.withoutItsList.message({ operation, field }),
    operation,
    field,
  );
}

async function collectAll(iterate: () => AsyncGenerator): Promise<unknown[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const found: unknown[] = [];
      for await (const item of iterate()) found.push(item);
      return found;
    } catch (error) {
      if (!(error instanceof ListingMovedError) || attempt === ATTEMPTS) throw error;
    }
  }
}

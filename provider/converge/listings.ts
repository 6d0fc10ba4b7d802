import type { CallOptions } from "../client/call-subject";
import { ResponseSchemaError } from "../client/errors";
import { createIterations } from "../client/iterations";
import { ListingMovedError } from "../client/paging";
import { LIST_FIELDS, LISTS_BESIDE, PAGED, type FirstProjects, type Listings } from "../define/listings";
import { orOwnerGone, type Calling, type Parameters } from "./owner";
import { listingProblems } from "./problems";

/** How often a listing is begun anew whose pages do not belong together. */
const ATTEMPTS = 3;
const PAGE_SIZE = 100;

type List = (parameters: Parameters) => Promise<readonly unknown[]>;
type Ask = (parameters: Parameters, options: CallOptions) => Promise<unknown>;
type Iterate = (parameters: Parameters, options: CallOptions) => AsyncGenerator;

/** The collections of the service, each whole or an error. */
export function createListings(calling: Calling): Listings {
  const { client, options } = calling;
  const lists: Record<string, List> = {};
  const fields = [
    ...Object.entries(LIST_FIELDS).map(([name, field]) => [name, name, field] as const),
    ...Object.entries(LISTS_BESIDE).map(([name, [operation, field]]) => [name, operation, field] as const),
  ];
  for (const [name, operation, field] of fields) {
    // Each is an operation of the client, whose parameters go through unseen.
    const ask = client[operation as keyof typeof LIST_FIELDS] as unknown as Ask;
    lists[name] = async (parameters) => listIn(await ask(parameters, options), operation, field);
  }
  const iterations = createIterations(client);
  for (const name of PAGED) {
    const iterate = iterations[name] as unknown as Iterate;
    lists[name] = (parameters) => allOf(() => iterate(parameters, options));
  }
  const strict = Object.entries(lists).map(([name, list]): [string, List] => [
    name,
    (parameters) => orOwnerGone(calling, parameters, () => list(parameters)),
  ]);
  const firstOrganizationProjects: Listings["firstOrganizationProjects"] = (parameters) =>
    orOwnerGone(calling, parameters, () => firstPage(calling, parameters.slug));
  const addons: Listings["addons"] = (parameters) =>
    orOwnerGone(calling, parameters, () => bothAddons(calling, parameters.ref));
  // Each list holds what its operation's answer does, from which its type is derived.
  return { ...Object.fromEntries(strict), addons, firstOrganizationProjects } as unknown as Listings;
}

async function firstPage({ client, options }: Calling, slug: string): Promise<FirstProjects> {
  const name = "listOrganizationProjects";
  const answer = await client[name]({ slug, limit: PAGE_SIZE }, options);
  const projects = listIn(answer, name, "projects") as FirstProjects["projects"];
  const count = answer.pagination?.count;
  const isWhole = count == null ? projects.length < PAGE_SIZE : projects.length >= count;
  return { projects, isWhole, pages: Math.ceil((count ?? projects.length) / PAGE_SIZE) };
}

async function bothAddons({ client, options }: Calling, ref: string): ReturnType<Listings["addons"]> {
  const name = "listAddons";
  const answer = await client[name]({ ref }, options);
  type Both = Awaited<ReturnType<Listings["addons"]>>;
  return {
    selected: listIn(answer, name, "selected_addons") as Both["selected"],
    available: listIn(answer, name, "available_addons") as Both["available"],
  };
}

/** Without its list an answer says nothing about what there is. */
function listIn(answer: unknown, operation: string, field: string): readonly unknown[] {
  const held: unknown = field === "" ? answer : Reflect.get(Object(answer) as object, field);
  if (Array.isArray(held)) return held;
  throw new ResponseSchemaError(
    listingProblems.withoutItsList.message({ operation, field }),
    operation,
    field,
  );
}

async function allOf(iterate: () => AsyncGenerator): Promise<unknown[]> {
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

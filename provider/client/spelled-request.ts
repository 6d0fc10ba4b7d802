import { type Names, ReservedNameError } from "../../spec/names/names";
import type { Operation } from "../../spec/operation";
import type { CallSubject } from "./call-subject";
import { InvalidInputError } from "./errors/errors";
import { type EncodedBody, encodeBody } from "./transport/request-body";
import { type Fields, pathOf, queryOf } from "./transport/request-target";

/** Path and query as the service spells them. */
export function spelledTarget(
  names: Names,
  { name, operation, parameters }: Pick<CallSubject, "name" | "operation" | "parameters">,
): string {
  const { path, params, query } = operation;
  // Each schema spells what is its own; the placeholders' names are on no wire.
  const inPath = spelled(names, params, pick(parameters, params.shape));
  const inQuery = spelled(names, query, pick(parameters, query.shape));
  return pathOf(name, names.path(path), inPath) + queryOf(inQuery);
}

/** The body as the service spells it; nothing where the operation has none. */
export async function spelledBody(
  names: Names,
  { body }: Operation,
  value: unknown,
): Promise<EncodedBody | undefined> {
  if (body === undefined) return undefined;
  return encodeBody(
    body,
    refusingReserved(() => names.request(body.schema, value)),
  );
}

function spelled(names: Names, schema: Operation["query"], fields: Fields): Fields {
  // An object's fields are spelled one by one, so it stays an object.
  return refusingReserved(() => names.request(schema, fields)) as Fields;
}

function pick(parameters: Fields, shape: object): Fields {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, parameters[name]]));
}

/** What the service reserves under another name than the specification's would change its meaning on the way. */
function refusingReserved<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ReservedNameError) throw new InvalidInputError("name", error.message);
    throw error;
  }
}

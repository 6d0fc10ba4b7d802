import type { z } from "zod";
import type { Operation } from "../../../../spec/operation";
import type { OperationName } from "../../../../spec/table";
import type { Exchange, Handler, Handlers } from "../shared/handler";
import { projectAt } from "../shared/project-at";
import { newerFields, type NewerFields } from "./newer-fields";

type PartialOperationTable = Readonly<Partial<Record<OperationName, Operation>>>;

/** The same table with bodies that take the newer fields too. */
export function withNewerBodies(table: PartialOperationTable): PartialOperationTable {
  return withBodies(table, (body, further) => body.extend(further.shape));
}

/** The same table with bodies that take none of them: the table has those that a program can set. */
export function withoutNewerBodies(table: PartialOperationTable): PartialOperationTable {
  return withBodies(table, (body, further) => {
    const kept = Object.entries(body.shape).filter(([name]) => !Object.hasOwn(further.shape, name));
    return body.clone({ ...body.def, shape: Object.fromEntries(kept) });
  });
}

function withBodies(
  table: PartialOperationTable,
  change: (body: z.ZodObject, further: z.ZodObject) => z.ZodObject,
): PartialOperationTable {
  const changed = entries().flatMap(([name, { body: further }]) => {
    const operation = table[name];
    if (further === undefined || operation?.body === undefined) return [];
    // Only bodies that are objects have newer fields.
    const schema = change(operation.body.schema as z.ZodObject, further);
    return [[name, { ...operation, body: { ...operation.body, schema } }] as const];
  });
  return { ...table, ...Object.fromEntries(changed) };
}

/** Handlers that take, keep and answer the newer fields while these are switched on. */
export function withNewerFields(handlers: Handlers): Handlers {
  const changed = entries().map(([name, fields]) => [
    name,
    newer(handlers[name] as Handler<Operation>, fields),
  ]);
  // Each handler by its own name, for the same exchange.
  return { ...handlers, ...(Object.fromEntries(changed) as Partial<Handlers>) };
}

function newer(handler: Handler<Operation>, fields: NewerFields<unknown>): Handler<Operation> {
  return (exchange) => {
    const { world } = exchange;
    if (!world.state.newer) return handler(exchange);
    const { known, sent } = partsOf(exchange.body, fields);
    fields.check?.(world, sent);
    const answer = handler({ ...exchange, body: known } as Exchange<Operation>);
    // Every operation with newer fields has a project in its path.
    const project = projectAt(world, String(exchange.params["ref"]));
    fields.keep?.(project.newer, sent, answer);
    return fields.answer?.(answer, project) ?? answer;
  };
}

/** What the rules know of a body, and what is kept beside it. */
function partsOf(
  body: unknown,
  { body: further, keep }: NewerFields<unknown>,
): { readonly known: unknown; readonly sent: Readonly<Record<string, unknown>> } {
  if (further === undefined || keep === undefined) return { known: body, sent: {} };
  // A body that has further fields is an object.
  const all = Object.entries(body as object).filter(([, value]) => value !== undefined);
  const isFurther = ([name]: [string, unknown]): boolean => Object.hasOwn(further.shape, name);
  return {
    known: Object.fromEntries(all.filter((entry) => !isFurther(entry))),
    sent: Object.fromEntries(all.filter(isFurther)),
  };
}

/** Each of the table's entries takes the answers of its own operation, which `Object.entries` cannot express. */
function entries(): (readonly [keyof typeof newerFields, NewerFields<unknown>])[] {
  return Object.entries(newerFields) as [keyof typeof newerFields, NewerFields<unknown>][];
}

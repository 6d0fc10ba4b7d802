import type { Names } from "../../spec/names/names";
import type { Method, Operation } from "../../spec/operation";
import type { OperationName } from "../../spec/table";

export interface NamedOperation {
  readonly name: OperationName;
  readonly operation: Operation;
}

/** One path of the API and what each method does there. */
export interface Route {
  /** In the router's spelling: `/v1/projects/:ref`. */
  readonly pattern: string;
  readonly byMethod: ReadonlyMap<Method, NamedOperation>;
}

/** The routes of an operation table, in the order in which they must be tried: fixed segments before placeholders. */
export function routesOf(
  table: Readonly<Partial<Record<OperationName, Operation>>>,
  names: Pick<Names, "path">,
): readonly Route[] {
  const routes = new Map<string, { pattern: string; byMethod: Map<Method, NamedOperation> }>();
  // The keys of the table are its operation names, which `Object.entries` widens to string.
  for (const [name, operation] of Object.entries(table) as [OperationName, Operation][]) {
    const pattern = names.path(operation.path).replaceAll(/\{(\w+)\}/g, ":$1");
    const route = routes.get(pattern) ?? { pattern, byMethod: new Map<Method, NamedOperation>() };
    route.byMethod.set(operation.method, { name, operation });
    routes.set(pattern, route);
  }
  return [...routes.values()].sort((left, right) => (rank(left.pattern) < rank(right.pattern) ? -1 : 1));
}

/** The operation behind a method; HEAD of what can be read answers the headers of the reading. */
export function operationFor(route: Route, method: string): NamedOperation | undefined {
  // An unknown method is simply not a key.
  const found = route.byMethod.get(method as Method);
  return found ?? (method === "HEAD" ? route.byMethod.get("GET") : undefined);
}

function rank(pattern: string): string {
  return pattern
    .split("/")
    .map((segment) => (segment.startsWith(":") ? "1" : "0"))
    .join("");
}

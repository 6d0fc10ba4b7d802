import type { Names } from "../../spec/names/names";
import type { Operation } from "../../spec/operation";
import { operations, type OperationName } from "../../spec/table";

export interface FoundOperation {
  readonly name: OperationName;
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the operation of a request by its method and its path as this installation writes it. */
export function operationFinder(names: Names): (method: string, path: string) => FoundOperation | undefined {
  // The keys of the table are its operation names, which `Object.entries` widens to string.
  const routes = (Object.entries(operations) as [OperationName, Operation][])
    .map(([name, operation]) => ({ name, operation, segments: names.path(operation.path).split("/") }))
    // Fixed segments come before parameters.
    .toSorted((left, right) => countParameters(left.segments) - countParameters(right.segments));
  return (method, path) => {
    const given = path.split("/");
    for (const { name, operation, segments } of routes) {
      if (operation.method !== method || segments.length !== given.length) continue;
      const params: Record<string, string> = {};
      const fits = segments.every((segment, index) => {
        const value = given[index] ?? "";
        if (!isParameter(segment)) return segment === value;
        params[segment.slice(1, -1)] = decodeURIComponent(value);
        return value !== "";
      });
      if (fits) return { name, operation, params };
    }
    return undefined;
  };
}

function countParameters(segments: readonly string[]): number {
  return segments.filter(isParameter).length;
}

function isParameter(segment: string): boolean {
  return segment.startsWith("{");
}

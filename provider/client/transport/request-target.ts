import { InvalidInputError } from "../errors/errors";

/** A call's parameters by name, as far as their types are of no interest. */
export type ParameterValues = Readonly<Record<string, unknown>>;

/** The path with its parameters filled in, each value percent-encoded. */
export function formatPath(operationName: string, template: string, parameters: ParameterValues): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name];
    const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
    // A dot segment would be resolved away and reach another endpoint.
    if (text === "" || text === "." || text === ".." || !text.isWellFormed()) {
      throw new InvalidInputError(
        name,
        `${operationName}: "${name}" is required for the address of the call.`,
      );
    }
    return encodeURIComponent(text);
  });
}

/** The query with its `?`, or nothing; arrays become repeated keys. */
export function formatQuery(fields: ParameterValues): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value])
      query.append(name, String(item));
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

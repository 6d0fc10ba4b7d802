import { operations, type OperationName } from "../../../spec/table";
import { isSecretName } from "./secret-names";

/** The segments of a call's path that are secrets: some operations take a token there. */
export function secretsInPath(path: string, operation: OperationName | undefined): string[] {
  if (operation === undefined) return [];
  const template = operations[operation].path.split("/");
  return path.split("/").flatMap((segment, index) => {
    const name = /^\{(\w+)\}$/.exec(template[index] ?? "")?.[1];
    return name !== undefined && isSecretName(name, path) && segment !== "" ? [segment] : [];
  });
}

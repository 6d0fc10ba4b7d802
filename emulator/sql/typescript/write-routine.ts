import type { Argument, Routine, TypeCatalog } from "./catalog";
import { arrayOf, property, type TypeTexts } from "./type-text";
import { braced, objectOf } from "./lines";

/** The functions of one name; overloads are distinguished by their arguments. */
export function writeRoutine(
  texts: TypeTexts,
  catalog: TypeCatalog,
  overloads: readonly Routine[],
): string[] {
  const [only, ...others] = overloads.map((routine) => writeOverload(texts, catalog, routine));
  if (only === undefined || others.length === 0) return only ?? [];
  return [
    "",
    ...[only, ...others].flatMap(([first = "", ...rest]) => [
      `  | ${first}`,
      ...rest.map((line) => `    ${line}`),
    ]),
  ];
}

function writeOverload(texts: TypeTexts, catalog: TypeCatalog, routine: Routine): string[] {
  return objectOf([
    ["Args", writeArguments(texts, routine.inputs)],
    ["Returns", writeReturns(texts, catalog, routine)],
  ]);
}

function writeArguments(texts: TypeTexts, inputs: readonly Argument[]): string[] {
  if (inputs.length === 0) return ["Record<PropertyKey, never>"];
  return braced(
    inputs.map(
      ({ name, type, hasDefault }) => `${property(name)}${hasDefault ? "?" : ""}: ${texts.of(type)}`,
    ),
  );
}

function writeReturns(texts: TypeTexts, catalog: TypeCatalog, routine: Routine): string[] {
  const { outputs, returns, returnsSet } = routine;
  const isRecord = catalog.types.get(returns)?.name === "record";
  const row = braced(outputs.map(({ name, type }) => `${property(name)}: ${texts.of(type)}`));
  const lines = isRecord && outputs.length > 0 ? row : [texts.of(returns)];
  if (!returnsSet) return lines;
  return lines.length === 1 ? lines.map(arrayOf) : [...lines.slice(0, -1), `${lines.at(-1) ?? ""}[]`];
}

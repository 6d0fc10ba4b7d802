import { tells } from "../limits";
import type { Surface } from "../package-schema";
import { tokenOf, type PackageSpec } from "../package-spec";
import { dynamicType } from "../resource-spec";
import { declaredFields } from "./declared-fields";
import { fault, type Fault } from "./fault";
import type { DeclaredField, FieldFacts, ToldField } from "./field-facts";
import { toldFields } from "./told-fields";

/** What the catalog says and the finished schema does not, or the other way round. */
export function lossFaults(surface: Surface, schema: PackageSpec): Fault[] {
  const declared = declaredFields(surface);
  const told = toldFields(schema);
  return [
    ...[...declared].flatMap(([path, facts]) => {
      const found = told.get(path);
      return found === undefined
        ? [fault(path, "is lost: the schema does not have it. Run `npm run generate`, or mend the generator")]
        : differences(path, facts, found);
    }),
    ...[...told.keys()]
      .filter((path) => !declared.has(path))
      .map((path) => fault(path, "is in the schema but not in the catalog: run `npm run generate`")),
    ...surface.resources.flatMap(({ type }) => {
      const aliases = schema.resources[tokenOf(type)]?.aliases ?? [];
      return aliases.some((alias) => alias.type === dynamicType(type))
        ? []
        : [
            fault(
              type,
              `lacks the alias ${dynamicType(type)}: programs that move would replace it. Add the alias`,
            ),
          ];
    }),
  ];
}

const compared = [
  "kind",
  "secret",
  "required",
  "replaceOnChanges",
  "willReplaceOnChanges",
  "default",
] as const satisfies readonly (keyof FieldFacts)[];

function differences(path: string, declared: DeclaredField, told: ToldField): Fault[] {
  return [
    ...compared
      .filter((name) => declared[name] !== told[name])
      .map((name) =>
        fault(
          path,
          `has ${name} ${String(declared[name])} in the catalog, but ${String(told[name])} in the schema: mend the generator`,
        ),
      ),
    ...declared.limits
      .filter((limit) => !tells(told.description, limit))
      .map(({ note }) => fault(path, `has a limit that its description does not tell: add "${note}"`)),
  ];
}

import { environmentOf } from "../config-spec";
import { typeOfReference, type Constant, type PackageSpec, type TypeSpec } from "../package-spec";
import { fault, type Fault } from "./fault";
import { everyProperty } from "./property-sets";

/** Constants, defaults and enum values of another type than theirs, and what would not fit or be told. */
export function valueFaults(schema: PackageSpec): Fault[] {
  return [
    ...everyProperty(schema).flatMap(({ path, spec, in: { kind } }) => {
      const { const: constant, default: standard, defaultInfo, secret, type, description } = spec;
      const environment = environmentOf(description);
      const isSetting = kind === "config";
      const isTold = defaultInfo?.environment.includes(environment ?? "") === true;
      return [
        ...(constant === undefined || fits(schema, spec, constant)
          ? []
          : [
              fault(
                `${path}/const`,
                `${JSON.stringify(constant)} is not of the property's type: correct one`,
              ),
            ]),
        ...(standard === undefined || fits(schema, spec, standard)
          ? []
          : [
              fault(
                `${path}/default`,
                `${JSON.stringify(standard)} is not of the property's type: correct one`,
              ),
            ]),
        ...(constant !== undefined && standard !== undefined
          ? [fault(`${path}/default`, "stands beside a constant, which wins: remove it")]
          : []),
        ...(secret === true && (defaultInfo !== undefined || standard !== undefined)
          ? [
              fault(
                path,
                "is a secret with a default, which generated code has in plain text: remove the default",
              ),
            ]
          : []),
        ...(isSetting && environment === undefined
          ? [
              fault(
                path,
                "does not say which environment variable sets it: end its description with `Environment: NAME.`",
              ),
            ]
          : []),
        ...(isSetting && secret !== true && !isTold
          ? [
              fault(
                `${path}/defaultInfo`,
                `lacks the environment variable ${environment ?? ""} of the description: add it`,
              ),
            ]
          : []),
        ...(type === "integer" && /\bmilliseconds since|\bbytes\b/i.test(description ?? "")
          ? [fault(path, "is an integer that needs more than 32 bits: set `isWide` in type-facts.ts")]
          : []),
      ];
    }),
    ...Object.entries(schema.types).flatMap(([token, type]) =>
      "enum" in type
        ? type.enum
            .filter(({ value }) => !isOf(type.type, value))
            .map(({ value }) => fault(`#/types/${token}/enum`, `${JSON.stringify(value)} is no ${type.type}`))
        : [],
    ),
  ];
}

function fits(schema: PackageSpec, { type, $ref, oneOf }: TypeSpec, value: Constant): boolean {
  if (oneOf !== undefined) return oneOf.some((member) => fits(schema, member, value));
  const named = schema.types[typeOfReference($ref ?? "") ?? ""];
  if (named !== undefined) return "enum" in named && named.enum.some((each) => each.value === value);
  return isOf(type, value);
}

function isOf(type: string | undefined, value: unknown): boolean {
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

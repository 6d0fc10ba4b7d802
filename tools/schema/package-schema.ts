import type { z } from "zod";
import { formatToken } from "../../provider/define/token";
import { allFunctions, allResources } from "../../provider/catalog/catalog";
import { componentDefinitions } from "../../provider/components/components";
import { providerConfig } from "../../provider/process/config";
import type { ComponentDefinition } from "../../provider/define/component";
import type { AnyFunction } from "../../provider/define/function";
import { listMarkedFields, type FieldTraits } from "../../provider/define/markers";
import type { AnyResource } from "../../provider/define/resource";
import { configVariables, providerSpec } from "./config-spec";
import { asFlags } from "./flag-text";
import { languageSections } from "./language-sections";
import { NamedTypes } from "./named-types";
import {
  PACKAGE_NAME,
  type FunctionSpec,
  type ObjectTypeSpec,
  type PackageSpec,
  type PropertySpec,
  type ResourceSpec,
} from "./package-spec";
import { fieldPlace, schemaPlace, type Place } from "./place";
import { isSettable, resourceSpec } from "./resource-spec";
import { propertiesOf, propertySpec, formatRequired } from "./type-spec";

/** What `package.json` says of the package. */
export interface Manifest {
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly license?: string;
  readonly homepage?: string;
  readonly repository?: { readonly url: string };
  readonly author?: string;
}

/** What the schema is made from. */
export interface Surface {
  readonly resources: readonly AnyResource[];
  readonly functions: readonly AnyFunction[];
  readonly components?: readonly ComponentDefinition[];
  readonly config: z.ZodObject;
}

/** The definitions of this package. */
export const surface: Surface = {
  resources: allResources(),
  functions: allFunctions(),
  components: componentDefinitions,
  config: providerConfig,
};

/** What programs and generated SDKs see of the package. */
export type PackageContents = Pick<PackageSpec, "config" | "types" | "provider" | "resources" | "functions">;

/** The package schema. `schema.json` is this, written by `npm run generate`; the plugin serves that file. */
export function packageSchema(manifest: Manifest, from: Surface = surface): PackageSpec {
  return {
    name: PACKAGE_NAME,
    ...about(manifest),
    meta: { moduleFormat: "(.*)", supportPack: true },
    language: languageSections,
    ...packageContents(from),
  };
}

/** Everything in the schema that comes from the catalog. */
export function packageContents(from: Surface): PackageContents {
  const types = new NamedTypes();
  const variables = configVariables(from.config, types);
  const specs = {
    provider: providerSpec(variables),
    resources: Object.fromEntries([
      ...from.resources.map(
        (resource) => [formatToken(resource.type), resourceSpec(resource, types)] as const,
      ),
      ...(from.components ?? []).map((each) => [formatToken(each.type), componentSpec(each, types)] as const),
    ]),
    functions: Object.fromEntries(
      from.functions.map((each) => [formatToken(each.name), functionSpec(each, types)] as const),
    ),
  };
  return { config: { variables }, types: types.specs(), ...specs };
}

function about({ version, description, keywords, license, homepage, repository, author }: Manifest) {
  const publisher = author;
  return {
    displayName: "Management API",
    version,
    description,
    keywords: [...new Set(["pulumi", ...keywords, "kind/native", "category/database"])],
    // The .NET SDK has it as the icon of its package, which has to be a PNG.
    ...(homepage === undefined ? {} : { homepage, logoUrl: `${homepage}/docs/logo.png` }),
    ...(license === undefined ? {} : { license }),
    attribution: "Written against the specification of the Management API; derived from no other provider.",
    ...(repository === undefined ? {} : { repository: repository.url }),
    ...(publisher === undefined ? {} : { publisher }),
  };
}

/** A component: its arguments and outputs. */
function componentSpec(
  { type, description, inputs, outputs }: ComponentDefinition,
  types: NamedTypes,
): ResourceSpec {
  const propertiesOf = (schema: z.ZodObject, side: Place["side"]): Record<string, PropertySpec> =>
    Object.fromEntries(
      listMarkedFields(schema)
        .filter(([, , traits]) => isSettable(traits))
        .map(([name, field, traits]) => {
          const place = fieldPlace(schemaPlace(type, side), name);
          return [name, propertySpec(field, inSettings(place, traits), types)];
        }),
    );
  const { required: requiredInputs } = formatRequired(inputs);
  return {
    isComponent: true,
    description,
    properties: propertiesOf(outputs, "outputs"),
    ...formatRequired(outputs),
    inputProperties: asFlags(propertiesOf(inputs, "inputs")),
    ...(requiredInputs === undefined ? {} : { requiredInputs }),
  };
}

/** The types within the settings of a resource are those of that resource. */
function inSettings(place: Place, { settingsOf }: FieldTraits): Place {
  return settingsOf === undefined ? place : { ...place, name: schemaPlace(settingsOf, place.side).name };
}

/** A function: its arguments and its answer. */
function functionSpec(definition: AnyFunction, types: NamedTypes): FunctionSpec {
  const { name, description } = definition;
  const part = (side: Place["side"]): ObjectTypeSpec => {
    const properties = propertiesOf(definition[side], schemaPlace(name, side), types);
    return {
      type: "object",
      properties: side === "inputs" ? asFlags(properties) : properties,
      ...formatRequired(definition[side]),
    };
  };
  const hasArguments = Object.keys(definition.inputs.shape).length > 0;
  return { description, ...(hasArguments ? { inputs: part("inputs") } : {}), outputs: part("outputs") };
}

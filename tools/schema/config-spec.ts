import type { z } from "zod";
import { listMarkedFields } from "../../provider/define/markers";
import { asFlags } from "./flag-text";
import type { NamedTypes } from "./named-types";
import { withoutDefault, type Properties, type PropertySpec, type ResourceSpec } from "./package-spec";
import { fieldPlace, schemaPlace } from "./place";
import { propertySpec } from "./type-spec";

/** The environment variable that a setting's description names. */
export function environmentVariable(description: string | undefined): string | undefined {
  return /Environment: ([A-Z][A-Z0-9_]*)\./.exec(description ?? "")?.[1];
}

/** The settings of the provider; none is required, as the environment may give it. */
export function configVariables(config: z.ZodObject, types: NamedTypes): Properties {
  const place = schemaPlace("Provider", "inputs");
  const variables = Object.fromEntries(
    listMarkedFields(config).map(([name, field]): [string, PropertySpec] => {
      const spec = propertySpec(field, fieldPlace(place, name), types);
      const environment = environmentVariable(spec.description);
      // Generated code reads a variable that is named here, and would have a secret in plain text then.
      const isTold = environment !== undefined && spec.secret !== true;
      return [name, { ...spec, ...(isTold ? { defaultInfo: { environment: [environment] } } : {}) }];
    }),
  );
  return asFlags(variables);
}

export function providerSpec(variables: Properties): ResourceSpec {
  return {
    description:
      "The provider of the package: the address of the Management API and the credentials for it. A setting left out here comes from the environment, then from the stack's configuration.",
    properties: Object.fromEntries(
      Object.entries(variables).map(([name, variable]) => [name, withoutDefault(variable)]),
    ),
    inputProperties: variables,
  };
}

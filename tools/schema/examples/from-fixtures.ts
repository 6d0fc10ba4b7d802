import type { Fixture } from "../../fixtures/fixture";
import { fixtureOf, fixtures } from "../../fixtures/fixtures";
import type { Declaration, Example, ExampleValue, ExampleValues, ResourceDifference } from "./example";
import { referenceIn, valuesOf } from "./references";

/** A resource of a type in a project, as its fixture declares it and the program otherwise wants it. */
export function declaredIn(
  projectRef: string,
  type: string,
  { properties = {}, ...others }: ResourceDifference = {},
): Declaration {
  const { inputs, secrets = [] } = fixtureOf(type);
  const fromFixture = Object.entries(inputs(projectRef))
    .filter(([name]) => !(name in properties))
    .map(([name, value]) => [name, secrets.includes(name) ? `\${${name}}` : value] as const);
  const all = [...fromFixture, ...Object.entries(properties)].filter(([, value]) => value !== undefined);
  // The inputs of a fixture are plain values, by their type.
  return { ...others, resource: type, properties: Object.fromEntries(all) as ExampleValues };
}

/** The examples of the resources' reference pages, by type. */
export function resourceExamples(): Record<string, Example> {
  return Object.fromEntries(fixtures.map((fixture) => [fixture.type, exampleOf(fixture)]));
}

function exampleOf({ type, example }: Fixture): Example {
  if ("declares" in example) return { config: configOf(example), ...example };
  const { name, projectRef = "${projectRef}", before, after, outputs, ...difference } = example;
  const declares = { ...before, [name]: declaredIn(projectRef, type, difference), ...after };
  const config = configOf({ declares });
  return {
    ...(Object.keys(config).length > 0 && { config }),
    declares,
    ...(outputs !== undefined && { outputs }),
  };
}

/** What the declarations refer to and the program does not declare. */
function configOf({ declares }: Example): NonNullable<Example["config"]> {
  const found: Record<string, "text" | "secret"> = {};
  for (const declaration of Object.values(declares)) {
    const secrets = "resource" in declaration ? (fixtureOf(declaration.resource).secrets ?? []) : [];
    for (const [path, name] of referencesIn(valuesOf(declaration))) {
      const isSecret = secrets.some((secret) => `${path}.`.startsWith(`${secret}.`));
      if (!(name in declares)) found[name] = isSecret ? "secret" : "text";
    }
  }
  return found;
}

/** The names that values refer to, each with the path of the value. */
function referencesIn(value: ExampleValue, path: readonly string[] = []): [path: string, name: string][] {
  if (typeof value === "object") {
    return Object.entries(value).flatMap(([key, each]) => referencesIn(each, [...path, key]));
  }
  const reference = referenceIn(value);
  return reference === undefined ? [] : [[path.join("."), reference.name]];
}

// Runs before anything is compiled, as a definition that is gone would not compile: it has no imports of this repository.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

/** A definition that the folders of `provider/` hold: `auth/api-key`. */
interface Found {
  readonly area: string;
  readonly name: string;
}

/** The folder of an area with what several of its definitions use. */
const SHARED = "shared";

function subfoldersOf(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

const resources = subfoldersOf("provider/resources").flatMap((area) =>
  subfoldersOf(`provider/resources/${area}`)
    .filter((name) => name !== SHARED)
    .map((name): Found => ({ area, name })),
);

/** The definitions that are a file each. */
function filesOf(folder: string, names: RegExp): Found[] {
  return subfoldersOf(folder).flatMap((area) =>
    readdirSync(join(root, folder, area))
      .filter((file) => names.test(file))
      .sort()
      .map((file): Found => ({ area, name: file.replace(".ts", "") })),
  );
}

const actions = filesOf("provider/actions", /^[a-z-]+\.ts$/);
const functions = filesOf("provider/functions", /^get-[a-z-]+\.ts$/);

const components = subfoldersOf("provider/components");

const withFixtures = [...resources, ...actions];

/** The folder with a folder of fixtures for each area. */
const FIXTURES = "tools/fixtures";

/** What belongs to a definition, with what it is for. */
const parts = [
  ...resources.flatMap(({ area, name }) => {
    const folder = `provider/resources/${area}/${name}`;
    return [
      {
        of: `The resource ${folder}`,
        path: `${folder}/${name}.ts`,
        purpose: `the definition, exported as \`${camelCase(name)}\``,
      },
      ...partsOf(`The resource ${folder}`, { area, name }),
    ];
  }),
  ...actions.flatMap((found) => partsOf(`The action provider/actions/${found.area}/${found.name}.ts`, found)),
];

/** A file that a definition needs. */
interface Part {
  readonly of: string;
  readonly path: string;
  readonly purpose: string;
}

function partsOf(of: string, { area, name }: Found): Part[] {
  const purpose = "what its tests, its page and its examples are made of, exported as `fixture`";
  return [
    { of, path: `${FIXTURES}/${area}/${name}.ts`, purpose },
    { of, path: `test/lifecycle/${area}/${name}.test.ts`, purpose: "the test of what is particular" },
  ];
}

const missing = parts
  .filter(({ path }) => !existsSync(join(root, path)))
  .map(({ of, path, purpose }) => `${of} lacks ${path}: ${purpose} (docs/adding-a-resource.md).`);

/** The folder with a file of examples for each area. */
const EXAMPLES = "tools/schema/examples/areas";

/** What needs an example for its reference page beside the resources, whose fixtures have theirs; by the name that the page has. */
const withPages = [
  ...functions.map(({ area, name }) => ({
    of: `The function provider/functions/${area}/${name}.ts`,
    area,
    key: camelCase(name),
  })),
  ...components.map((name) => ({
    of: `The component provider/components/${name}`,
    area: "components",
    key: pascalCase(name),
  })),
];

const exampleAreas = readdirSync(join(root, EXAMPLES))
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.replace(".ts", ""))
  .sort();

/** The names of the examples by area, as the formatter lays them out. */
const exampleNames = new Map(
  exampleAreas.map((area) => {
    const text = readFileSync(join(root, EXAMPLES, `${area}.ts`), "utf8");
    return [area, Array.from(text.matchAll(/^ {2}(\w+): \{$/gm), ([, name = ""]) => name)] as const;
  }),
);

const withoutExample = withPages
  .filter(({ area, key }) => exampleNames.get(area)?.includes(key) !== true)
  .map(
    ({ of, area, key }) =>
      `${of} lacks the example \`${key}\` of its reference page in ${EXAMPLES}/${area}.ts (docs/adding-a-resource.md).`,
  );

const withoutDefinition = [...exampleNames].flatMap(([area, names]) =>
  names
    .filter((name) => !withPages.some((page) => page.area === area && page.key === name))
    .map(
      (name) =>
        `${EXAMPLES}/${area}.ts has the example \`${name}\`, and nothing of \`${area}\` is called so.`,
    ),
);

const withoutTheirs = filesOf(FIXTURES, /^[a-z-]+\.ts$/)
  .filter(({ area, name }) => !withFixtures.some((one) => one.area === area && one.name === name))
  .map(({ area, name }) => `${FIXTURES}/${area}/${name}.ts is the fixture of nothing that is defined.`);

/** The folder with a folder of rules for each area of the API. */
const RULES = "emulator/service/rules";

/** What the emulator's rules are exported as, by the file that exports it. */
const rules = subfoldersOf(RULES).flatMap((area) =>
  readdirSync(join(root, RULES, area))
    .filter((file) => file.endsWith(".ts"))
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(root, RULES, area, file), "utf8");
      const [, name] = /^export const (\w+Handlers) = \{/m.exec(text) ?? [];
      return name === undefined ? [] : [{ name, path: `./${area}/${file.replace(".ts", "")}` }];
    }),
);

const faults = [...missing, ...withoutExample, ...withoutDefinition, ...withoutTheirs];

// This repository's own file.
const { version, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  version: string;
  engines: { node: string };
};
const [oldestNode] = /\d+\.\d+/.exec(engines.node) ?? [];
if (oldestNode === undefined)
  throw new Error(`package.json wants Node.js "${engines.node}", which names no version`);

const HEADER = "// Generated by `npm run build` from the folders of `provider/`.\n";

const definitionOf = {
  action: ({ area, name }: Found): string => `actions/${area}/${name}`,
  resource: ({ area, name }: Found): string => `resources/${area}/${name}/${name}`,
  function: ({ area, name }: Found): string => `functions/${area}/${name}`,
};

const generated: Readonly<Record<string, string>> = {
  "provider/catalog/loaders.generated.ts": `${HEADER}
import type { AnyFunction } from "../define/function";
import type { AnyResource } from "../define/resource";

/** Loads the definition of a resource or action by its type: a program needs few, and all take a while to load. */
export const resourceLoaders: Readonly<Record<string, () => AnyResource>> = {
${resources.map((one) => `${pascalCase(one.name)}: ${loaderOf(one, definitionOf.resource(one))},`).join("\n")}
${actions.map((one) => `${pascalCase(one.name)}: ${loaderOf(one, definitionOf.action(one))},`).join("\n")}
};

/** The area of a resource or action by its type: the folder of its definition. */
export const resourceAreas: Readonly<Record<string, string>> = {
${[...resources, ...actions].map(({ area, name }) => `${pascalCase(name)}: ${JSON.stringify(area)},`).join("\n")}
};

/** Loads the definition of a function by its name. */
export const functionLoaders: Readonly<Record<string, () => AnyFunction>> = {
${functions.map((one) => `${camelCase(one.name)}: ${loaderOf(one, definitionOf.function(one))},`).join("\n")}
};
`,
  "provider/core/version.generated.ts": `// Generated by \`npm run build\` from package.json: a bundle has none to read.

/** The version of this package. */
export const VERSION = ${JSON.stringify(version)};

/** The oldest Node.js that it works with, as \`22.19\`. */
export const OLDEST_NODE = ${JSON.stringify(oldestNode)};
`,
  "tools/schema/examples/examples.generated.ts": `${HEADER}
import type { Examples } from "./example";
import { resourceExamples } from "./from-fixtures";
${exampleAreas.map((area) => `import { ${camelCase(area)} } from "./areas/${area}";`).join("\n")}

/** An example for every resource and component by its type and every function by its name. */
export const examples: Examples = { ...resourceExamples(), ${exampleAreas.map((area) => `...${camelCase(area)}`).join(", ")} };
`,
  [`${RULES}/handlers.generated.ts`]: `// Generated by \`npm run build\` from the folders beside it: each \`export const …Handlers = {\` is in it.

import type { Handlers } from "./shared/handler";
${rules.map(({ name, path }) => `import { ${name} } from "${path}";`).join("\n")}

/** The rule of every operation. One that lacks its rule does not compile. */
export const handlers: Handlers = { ${rules.map(({ name }) => `...${name}`).join(", ")} };
`,
  "tools/fixtures/fixtures.generated.ts": `${HEADER}
import type { Fixture } from "./fixture";
${withFixtures.map(({ area, name }) => `import { fixture as ${camelCase(name)} } from "./${area}/${name}";`).join("\n")}

/** The fixture of every resource and action. */
export const fixtures: readonly Fixture[] = [${namesOf(withFixtures)}];
`,
};

function loaderOf({ name }: Found, path: string): string {
  const imported = camelCase(name);
  return `() => { const { ${imported} }: typeof import("../${path}") = require("../${path}"); return ${imported}; }`;
}

function namesOf(found: readonly Found[]): string {
  return found.map(({ name }) => camelCase(name)).join(", ");
}

function camelCase(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function pascalCase(name: string): string {
  const camel = camelCase(name);
  return camel.charAt(0).toUpperCase() + camel.slice(1);
}

if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exitCode = 1;
} else {
  for (const [path, text] of Object.entries(generated)) {
    const file = join(root, path);
    // What is the same keeps its time: the compiler begins with that.
    if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
  }
}

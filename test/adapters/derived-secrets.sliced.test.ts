import type { z } from "zod";
import * as pulumi from "@pulumi/pulumi";
import { allFunctions } from "../../provider/catalog/catalog";
import { checkArguments } from "../../provider/components/check-arguments";
import { componentDefinitions } from "../../provider/components/components";
import type { ComponentDefinition } from "../../provider/define/component";
import { listMarkedFields, traitsOf } from "../../provider/define/markers";
import { providerConfig } from "../../provider/process/config";
import { isMarkedAt, toSecret } from "../../provider/engine/schema/secrets";
import { isObject } from "../../spec/is-object";
import { schemaAt, shapeOf } from "../../spec/shape-of";
import { createProgramRuntime } from "../../provider/dynamic/functions-runtime";
import type { Values } from "../../provider/define/values";
import { inClear } from "../kit/engine-values";
import { startPluginProcess } from "../kit/plugin-process";
import { startProviderProcess } from "../kit/provider-process";
import { resourceOf, samplesInTier, type Sample } from "../kit/samples";
import { startScenario, type Scenario } from "../kit/scenario";
import { inTier } from "../kit/tier";
import { placed, placedIn, placesBeside, secretPlaces, type SecretPlace } from "../lifecycle/secret-places";

const REF = "abcdefghijklmnopqrst";
const PEM = `-----BEGIN PRIVATE KEY-----\n${"QmZ7xK+4/pYw0sDh".repeat(8)}\n-----END PRIVATE KEY-----`;

/** Of an input that the schema makes a secret, and of any other that only the program does. */
const SECRETS = ['Kq8"zW!2vR\\7', PEM];
const PROGRAMS_SECRET = 'Jd5"tY#9nB\\3';

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** What a program makes of a secret; `mark` is how the engine learns that it is one. */
const derivations: Readonly<Record<string, (secret: string, mark: (value: unknown) => unknown) => unknown>> =
  {
    "joined to a text": (secret, mark) => mark(`postgres://admin:${secret}@db.example.com`),
    "in base64": (secret, mark) => mark(base64(secret)),
    "joined and in base64": (secret, mark) => mark(base64(`admin:${secret}`)),
    "as JSON": (secret, mark) => mark(JSON.stringify({ password: secret })),
    "in a list": (secret, mark) => [mark(secret)],
    "in an object": (secret, mark) => ({ a: { b: mark(secret) } }),
    "in an object of secrets": (secret, mark) => mark({ a: [secret, { b: secret }] }),
    "as the key of an object": (secret, mark) => mark({ [secret]: true }),
    "far too long": (secret, mark) => mark(secret.repeat(Math.ceil(30_000 / secret.length))),
    "at the end of what is cut": (secret, mark) => [mark("A".repeat(40)), mark(secret)],
    "as it is": (secret, mark) => mark(secret),
  };

/** Parts of the secret, plain and in base64, that an ordinary text does not hold. */
function partsOf(secret: string): string[] {
  const plain = secret.replaceAll(/-----[A-Z ]+-----|\n/g, "");
  return [plain, base64(secret), base64(`admin:${secret}`).slice(8)].flatMap((text) =>
    Array.from({ length: Math.max(1, text.length - 9) }, (_, at) => text.slice(at, at + 9)),
  );
}

interface Failure {
  readonly property: string;
  readonly reason: string;
}

/** What the engine prints of a failure: `issueCheckFailures` in its `step_generator.go`. */
function printed(inputs: Values, { property, reason }: Failure): string {
  if (property === "") return `the resource has a problem: ${reason}`;
  return `property ${property} value ${JSON.stringify(inputs[property])} has a problem: ${reason}`;
}

/** A few arguments, many, and a nested one. */
const QUICK_FUNCTIONS: readonly string[] = ["getProject", "getQueryResult", "getLogs", "getAuthorizeUrl"];

let scenario: Scenario;
beforeAll(async () => {
  scenario = await startScenario();
});
afterAll(() => scenario.close());

type Wrong = readonly [what: string, inputs: Values, secret: string];

/** Every way of declaring a derived secret in the sample, and in each of its secret places. */
function* wrongInputs(sample: Sample): Generator<Wrong> {
  const places = secretPlaces(sample);
  const [first] = places;
  for (const secret of first === undefined ? [PROGRAMS_SECRET] : SECRETS)
    yield* wrongInEach(sample, secret, first);
  for (const [index, place] of places.entries())
    yield* wrongWithin(sample, place, SECRETS[index % SECRETS.length] ?? "");
}

/** In each input, in an unknown one, marked by the program or not. */
function* wrongInEach(sample: Sample, secret: string, place: SecretPlace | undefined): Generator<Wrong> {
  const declared = place === undefined ? sample.inputs(REF) : placed(sample, place, secret);
  const names = listMarkedFields(resourceOf(sample).inputs).map(([name]) => name);
  for (const name of [...names, "zzzzzzzz"]) {
    for (const [how, derive] of Object.entries(derivations)) {
      yield [`${name} ${how}, marked`, { ...declared, [name]: derive(secret, toSecret) }, secret];
      // That a value of another property is that secret shows in its text alone.
      if (place === undefined || name === place[0]) continue;
      yield [`${name} ${how}, unmarked`, { ...declared, [name]: derive(secret, asIs) }, secret];
    }
  }
  if (place !== undefined) yield ["a key", { ...declared, [secret]: 1 }, secret];
}

/** One of each kind: the places of some types are many. */
const INSTRUCTIVE = ["joined to a text", "in base64", "in a list", "in an object", "as the key of an object"];

/** In the place of a secret, marked or not, and beside it. */
function* wrongWithin(sample: Sample, place: SecretPlace, secret: string): Generator<Wrong> {
  const at = place.join(".");
  for (const [how, derive] of Object.entries(derivations)) {
    if (!INSTRUCTIVE.includes(how)) continue;
    yield [`${at} ${how}, marked`, placed(sample, place, derive(secret, toSecret)), secret];
    if (how !== "as the key of an object")
      yield [`${at} ${how}, unmarked`, placed(sample, place, derive(secret, asIs)), secret];
    for (const beside of placesBeside(sample, place)) {
      const inputs = placedIn(placed(sample, place, secret), beside, derive(secret, asIs));
      yield [`${beside.join(".")} ${how}, beside ${at}`, inputs, secret];
    }
  }
}

const asIs = (value: unknown): unknown => value;

function expectNoPart(of: string, secret: string, what: string): void {
  const found = partsOf(secret).find((part) => of.includes(part));
  if (found !== undefined) throw new Error(`${what}: "${found}" of the secret is printed in\n${of}`);
}

describe.each(samplesInTier().map((sample) => [sample.type, sample] as const))("%s", (type, sample) => {
  it.each([
    ["dynamic provider", startProviderProcess],
    ["plugin", startPluginProcess],
  ] as const)(
    "prints no part of a secret, whatever is made of it and wherever it is put: %s",
    async (_, start) => {
      const process = await start(scenario, type);
      try {
        const failed = new Set<string>();
        for (const [what, inputs, secret] of wrongInputs(sample)) {
          const { failures } = await process.check(inputs);
          for (const failure of failures) {
            failed.add(what);
            expectNoPart(printed(inClear(inputs), failure), secret, what);
          }
        }
        // What every type refuses; nothing would be shown by values that fit.
        for (const how of ["joined to a text", "in a list", "in an object", "as the key of an object"]) {
          expect(failed).toContain(`timeouts ${how}, marked`);
          expect(failed).toContain(`zzzzzzzz ${how}, marked`);
        }
      } finally {
        await process.close();
      }
    },
  );
});

/** Names of secrets are none. */
function secretMaps(inputs: z.ZodObject): string[] {
  return listMarkedFields(inputs).flatMap(([name, field]) => (isSecretMap(field) ? [name] : []));
}

function isSecretMap(field: z.ZodType | undefined): boolean {
  return field !== undefined && traitsOf(field).secret === true && shapeOf(field).kind === "record";
}

/** Ways to put a key of a program's own into a secret, be it the schema's or the program's. */
function* withForeignKey(sample: Sample, key: string): Generator<Values> {
  const { inputs } = resourceOf(sample);
  const declared = sample.inputs(REF);
  const maps = new Set(secretMaps(inputs));
  for (const [name, field] of listMarkedFields(inputs)) {
    if (maps.has(name)) continue;
    yield { ...declared, [name]: toSecret({ [key]: true }) };
    if (isObject(declared[name])) yield { ...declared, [name]: toSecret({ ...declared[name], [key]: true }) };
    if (traitsOf(field).secret === true) yield { ...declared, [name]: { [key]: true } };
  }
  for (const place of secretPlaces(sample)) {
    const [top = "", ...below] = place;
    if (below.length === 0 || maps.has(top)) continue;
    const beside = placedIn(declared, [...place.slice(0, -1), key], true);
    const isName = isSecretMap(schemaAt(inputs, place.slice(0, -1)));
    if (!isName) yield { ...beside, [top]: toSecret(beside[top]) };
    yield placed(sample, place, { [key]: true });
    if (!isName && isMarkedAt(inputs, place.slice(0, -1))) yield beside;
  }
}

describe.each(samplesInTier().map((sample) => [sample.type, sample] as const))("%s", (type, sample) => {
  it.each([
    ["dynamic provider", startProviderProcess],
    ["plugin", startPluginProcess],
  ] as const)("prints no key that a program chose within a secret: %s", async (_, start) => {
    const process = await start(scenario, type);
    try {
      // The same words as a value would be known, and hidden for that.
      const key = 'hush"Kq8zW2vR';
      let refused = 0;
      for (const inputs of withForeignKey(sample, key)) {
        const { failures } = await process.check(inputs);
        refused += failures.length;
        for (const failure of failures) expect(printed({}, failure)).not.toMatch(/hush|Kq8zW2vR/);
      }
      expect(refused).toBeGreaterThan(0);
    } finally {
      await process.close();
    }
  });
});

describe("the provider's configuration", () => {
  it("prints no part of a secret in a setting", async () => {
    const process = await startPluginProcess(scenario, "Project", { env: {}, config: undefined });
    const secret = PROGRAMS_SECRET;
    try {
      let count = 0;
      for (const name of [...listMarkedFields(providerConfig).map(([setting]) => setting), "zzzzzzzz"]) {
        for (const [how, derive] of Object.entries(derivations)) {
          const inputs = { accessToken: toSecret(secret), [name]: derive(secret, toSecret) };
          const { failures } = await process.checkConfig(inputs);
          count += failures.length;
          for (const each of failures) expectNoPart(printed(inClear(inputs), each), secret, `${name} ${how}`);
        }
      }
      expect(count).toBeGreaterThan(20);
    } finally {
      await process.close();
    }
  });
});

describe("a component", () => {
  const args = {
    PreviewEnvironment: {
      ...{ parentProjectRef: REF, repository: "https://forge.example.com/acme/shop" },
      ...{ pullRequest: 7, gitBranch: "feature/search" },
    },
  };

  /** What making it says: at once, or of a value once that is known. */
  async function said(definition: ComponentDefinition, given: object): Promise<string[]> {
    try {
      const checked = checkArguments(definition, "one", given);
      const told = Object.values(checked).map((value) =>
        valueOf(value).then(
          () => [],
          (error: unknown) => [String(error)],
        ),
      );
      return (await Promise.all(told)).flat();
    } catch (error) {
      return [String(error)];
    }
  }

  /** Rejects where the output does: with all that the SDK awaits of one, and does not declare. */
  function valueOf(value: unknown): Promise<unknown> {
    if (!pulumi.Output.isInstance(value)) return Promise.resolve(value);
    const { promise, isKnown, isSecret, allResources } = value as unknown as {
      readonly promise: () => Promise<unknown>;
      readonly isKnown: Promise<boolean>;
      readonly isSecret: Promise<boolean>;
      readonly allResources: () => Promise<unknown>;
    };
    return Promise.all([promise(), isKnown, isSecret, allResources()]);
  }

  it.each(componentDefinitions.map((definition) => [definition.type, definition] as const))(
    "%s prints no part of a secret in an argument",
    async (type, definition) => {
      const valid = args[type as keyof typeof args];
      const secret = PROGRAMS_SECRET;
      const refused = new Set<string>();
      const names = listMarkedFields(definition.inputs).map(([name]) => name);
      /** Arguments beside it that have the very secret, in clear and as the program's secret. */
      const beside = [asIs, pulumi.secret].map((mark) => ({ secrets: { TOKEN: mark(secret) } }));
      for (const name of [...names, "zzzzzzzz"]) {
        for (const [how, derive] of Object.entries(derivations)) {
          for (const [marked, mark, others] of [
            ["marked", pulumi.secret, [{}]],
            ["marked later", (value: unknown) => pulumi.secret(Promise.resolve(value)), [{}]],
            // Only its text shows that it is another argument's.
            ["unmarked", asIs, beside],
          ] as const) {
            for (const other of others) {
              const what = `${name} ${how}, ${marked}`;
              for (const text of await said(definition, {
                ...valid,
                ...other,
                [name]: derive(secret, mark),
              })) {
                refused.add(what);
                expectNoPart(text, secret, what);
              }
            }
          }
        }
      }
      for (const name of ["parentProjectRef", "pullRequest", "zzzzzzzz"]) {
        for (const marked of ["marked", "marked later", "unmarked"])
          expect(refused).toContain(`${name} joined to a text, ${marked}`);
      }
    },
  );
});

describe("a function", () => {
  const tried = inTier(allFunctions(), ({ name }) => QUICK_FUNCTIONS.includes(name));
  it.each(tried.map((definition) => [definition.name, definition] as const))(
    "%s prints no part of a secret in an argument, whoever calls it",
    async (name, definition) => {
      const process = await startPluginProcess(scenario, "Project");
      const program = createProgramRuntime({ baseUrl: "https://api.example.com", accessToken: "pat" }, {});
      const secret = PROGRAMS_SECRET;
      let count = 0;
      try {
        for (const argument of [...listMarkedFields(definition.inputs).map(([field]) => field), "zzzzzzzz"]) {
          for (const [how, derive] of Object.entries(derivations)) {
            if (how === "as it is" || how === "in base64" || how === "joined and in base64") continue;
            const args = { [argument]: derive(secret, toSecret) };
            const what = `${argument} ${how}`;
            const { failures } = await process.invoke(name, { ...args, yyyyyyyy: 1 });
            for (const { property, reason } of failures)
              expectNoPart(`${reason} (${property})`, secret, what);
            const refused = program.run(name, { ...inClear(args), yyyyyyyy: 1 }, [argument]);
            const error: unknown = await refused.catch((thrown: unknown) => thrown);
            expectNoPart(String(error), secret, what);
            count += failures.length;
          }
        }
      } finally {
        await process.close();
      }
      expect(count).toBeGreaterThan(10);
    },
  );
});

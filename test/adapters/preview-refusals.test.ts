import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allFunctions, allResources } from "../../provider/catalog/catalog";
import type { Problems, ProblemText } from "../../provider/client/errors/problem";
import { previewEnvironment } from "../../provider/components/preview-environment/preview-environment";
import { UNKNOWN } from "../../provider/define/unknown";
import type { Values } from "../../provider/define/values";
import { everyCall, collectProblems } from "../../tools/schema/reference/error-table";
import { formOf } from "../kit/listed-problems";
import { startPluginProcess } from "../kit/plugin-process";
import { startProviderProcess, type ProcessOptions } from "../kit/provider-process";
import { startScenario, type Scenario } from "../kit/scenario";
import { temporaryFolder } from "../kit/temporary-folder";
import { refusals, refusedArguments, refusedImports, type Refusal } from "./preview-refusals";
import { elsewhere } from "./refused-elsewhere";

// Every problem that users read of is either refused by a preview, without a call, or something only an answer of the service tells.

/** `Type.problem` of each, by what it is; those of any call have `*` for the type. */
const labels = new Map<ProblemText, string[]>();
function label(owner: string, problems: Problems): void {
  for (const [name, problem] of Object.entries(problems)) {
    labels.set(problem, [...(labels.get(problem) ?? []), `${owner}.${name}`]);
  }
}
label("*", everyCall);
for (const resource of allResources()) label(resource.type, collectProblems(resource));
for (const { name, problems = {} } of allFunctions()) label(name, problems);

const problemOf = new Map(
  [...labels].flatMap(([problem, all]) => all.map((each) => [each, problem] as const)),
);
const refused = [refusals, refusedImports, refusedArguments].flatMap((each) => Object.keys(each));
const sortedElsewhere = Object.values(elsewhere).flat();

describe("the list of problems", () => {
  it("has each either among those that a preview refuses, or among the others with the reason", () => {
    const previewed = new Set(refused.map((each) => problemOf.get(each)));
    const others = new Set(sortedElsewhere.map((each) => problemOf.get(each)));
    const inNeither = [...labels].filter(([problem]) => !previewed.has(problem) && !others.has(problem));
    const inBoth = [...labels].filter(([problem]) => previewed.has(problem) && others.has(problem));
    expect({
      inNeither: inNeither.map(([, all]) => all[0]),
      inBoth: inBoth.map(([, all]) => all[0]),
    }).toEqual({
      inNeither: [],
      inBoth: [],
    });
  });

  it("names no problem that there is not, and none twice", () => {
    const all = [...refused, ...sortedElsewhere];
    expect(all.filter((each) => !problemOf.has(each))).toEqual([]);
    expect(new Set(all.map((each) => problemOf.get(each))).size).toBe(all.length);
  });

  it("says how many there are", () => {
    const counted = { refused: refused.length, elsewhere: sortedElsewhere.length };
    expect({ ...counted, all: labels.size }).toEqual({
      ...counted,
      all: counted.refused + counted.elsewhere,
    });
  });
});

let scenario: Scenario;
beforeAll(async () => {
  scenario = await startScenario();
});
afterAll(() => scenario.close());

const REF = "abcdefghijklmnopqrst";

/** Of a resource that a component makes, on a branch that is not made yet as well. */
function places({ type, was, ofNewProject }: Refusal): readonly (readonly [string, string])[] {
  if (ofNewProject === true) return [["in what is not made yet", UNKNOWN]];
  const isOfComponent = was === undefined && type !== "Branch" && previewEnvironment.makes.includes(type);
  return [
    ["in a project", REF],
    ...(isOfComponent ? [["in a component, before its branch is made", UNKNOWN] as const] : []),
  ];
}

const forms = [
  [
    "the dynamic provider",
    (type: string, options: ProcessOptions) => Promise.resolve(startProviderProcess(scenario, type, options)),
  ],
  ["the plugin", (type: string, options: ProcessOptions) => startPluginProcess(scenario, type, options)],
] as const;

const cases = Object.entries(refusals).flatMap(([name, refusal]) =>
  places(refusal).map(([where, ref]) => [name, where, ref, refusal] as const),
);

describe.each(forms)("a preview with %s", (_, start) => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder("management-refusals-");
  });
  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(cases)("refuses “%s” %s, and calls nothing", async (name, _where, ref, refusal) => {
    const write = (files: Readonly<Record<string, string>> = {}): void => {
      for (const [path, text] of Object.entries(files)) {
        const file = join(folder, path);
        mkdirSync(join(file, ".."), { recursive: true });
        if (text.startsWith("-> ")) symlinkSync(text.slice(3), file);
        else writeFileSync(file, text);
      }
    };
    const placed = (values: Values): Values => {
      const projectRef = "projectRef" in values || refusal.hasNoProject === true ? {} : { projectRef: ref };
      return { ...projectRef, ...inFolder(values, folder) };
    };
    write(refusal.files);
    const env = refusal.env && {
      MANAGEMENT_BASE_URL: scenario.url,
      MANAGEMENT_ACCESS_TOKEN: scenario.emulator.accessToken,
      ...inFolder(refusal.env, folder),
    };
    const provider = await start(refusal.type, { config: {}, ...(env && { env: withoutEmpty(env) }) });
    const callsBefore = scenario.calls();
    try {
      const said = await refusalsOf();
      expect(said).toEqual(expect.arrayContaining([expect.stringMatching(formNamed(name))]));
      expect(scenario.calls()).toBe(callsBefore);
    } finally {
      await provider.close();
    }

    async function refusalsOf(): Promise<string[]> {
      refusal.before?.();
      if (refusal.isConfiguration === true && "checkConfig" in provider) {
        return (await provider.checkConfig({})).failures.map(({ reason }) => reason);
      }
      if (refusal.was === undefined) return failuresOf(placed(refusal.is));
      const first = await provider.check(placed(refusal.was));
      expect(first.failures).toEqual([]);
      for (const gone of refusal.removed ?? []) rmSync(join(folder, gone), { recursive: true });
      write(refusal.filesAfter);
      const imported = Object.fromEntries(
        Object.entries(first.inputs).filter(([name]) => name !== "files" && name !== "sourceHash"),
      );
      const recorded = refusal.isImported === true ? imported : first.inputs;
      const found = await failuresOf(placed(refusal.is), recorded);
      if (found.length > 0) return found;
      const { inputs } = await provider.check(placed(refusal.is), first.inputs);
      const state = { id: ref, outs: { ...first.inputs, ...refusal.state?.(first.inputs) } };
      return provider.diff(state, inputs).then(
        ({ changes }) => [`no refusal, changes: ${String(changes)}`],
        (error: unknown) => [String(error instanceof Error ? error.message : error)],
      );
    }

    async function failuresOf(inputs: Values, before?: Values): Promise<string[]> {
      return (await provider.check(inputs, before)).failures.map(
        ({ property, reason }) => `${property} ${reason}`,
      );
    }
  });
});

/** The form of a problem of the list. */
function formNamed(name: string): RegExp {
  const problem = problemOf.get(name);
  if (problem === undefined) throw new Error(`There is no problem ${name}`);
  return formOf(problem);
}

describe("a preview with the plugin", () => {
  it.each(Object.entries(refusedArguments))(
    "refuses “%s”, and calls nothing",
    async (problem, { name, args }) => {
      const plugin = await startPluginProcess(scenario, "Secret");
      const before = scenario.calls();
      const { failures } = await plugin.invoke(name, { projectRef: REF, ...args });
      await plugin.close();
      expect(failures.map(({ reason }) => reason)).toEqual([expect.stringMatching(formNamed(problem))]);
      expect(scenario.calls()).toBe(before);
    },
  );

  it.each(Object.entries(refusedImports))(
    "refuses “%s”, and calls nothing",
    async (problem, { type, id }) => {
      const plugin = await startPluginProcess(scenario, type);
      const before = scenario.calls();
      await expect(plugin.import(id)).rejects.toThrow(formNamed(problem));
      await plugin.close();
      expect(scenario.calls()).toBe(before);
    },
  );
});

/** The values, with the folder of the test in place of `<folder>`. */
function inFolder<T extends object>(values: T, folder: string): T {
  return JSON.parse(JSON.stringify(values).replaceAll("<folder>", folder)) as T;
}

function withoutEmpty(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
}

import type { z } from "zod";
import { allResources } from "../../provider/catalog/catalog";
import { listMarkedFields, traitsOf } from "../../provider/define/markers";
import { listKnownValues } from "../../provider/define/open-values";
import { UNKNOWN } from "../../provider/define/unknown";
import { checkInputs } from "../../provider/engine/check";
import type { Values } from "../../provider/define/values";
import { formatPath } from "../../provider/define/property-path";
import { listChildSchemas, shapeOf } from "../../spec/shape-of";
import { isObject } from "../../spec/is-object";
import { declaring, messagesOf, startMachine, type Machine } from "../kit/machine";
import type { Declared } from "../kit/model-engine";
import { startScenario, type Scenario } from "../kit/scenario";
import { samples, type Sample, resourceOf } from "../kit/samples";

// Lists and limits of the service are not this version's to enforce: tomorrow it may have more of them.

const REF = "a".repeat(20);

interface OpenPlace {
  readonly path: readonly string[];
  /** A value that no list of this version has. */
  readonly unlisted: string | number;
}

function openPlaces(schema: z.ZodType, path: readonly string[] = []): OpenPlace[] {
  const shape = shapeOf(schema);
  const { isOpen, knownRange } = traitsOf(schema);
  if (isOpen === true && shape.kind === "union") {
    return [{ path, unlisted: `${listKnownValues(shape.options)[0]}-of-tomorrow` }];
  }
  if (knownRange !== undefined) {
    const { least, most } = knownRange;
    const beyond = [least === undefined ? [] : [least - 1], most === undefined ? [] : [most + 1]].flat();
    return beyond.map((unlisted) => ({ path, unlisted }));
  }
  if (shape.kind !== "object") return [];
  // What a check computes is no value of a program.
  return listMarkedFields(shape.inner).flatMap(([name, field, { computed }]) =>
    computed === true ? [] : openPlaces(field, [...path, name]),
  );
}

/** The values with another one at a path, and what is around it. */
function withValue(values: Values, [name = "", ...rest]: readonly string[], value: unknown): Values {
  const before = values[name];
  return {
    ...values,
    [name]: rest.length === 0 ? value : withValue(isObject(before) ? before : {}, rest, value),
  };
}

/** What a program declares beside an unlisted value, where the sample has something that excludes it. */
const beside: Readonly<Record<string, (inputs: Values) => Values>> = {
  "Project.regionSelection.code": (inputs) => ({
    ...inputs,
    region: undefined,
    regionSelection: { type: "specific", code: "eu-central-1" },
  }),
};

const cells = samples.flatMap((sample) =>
  openPlaces(resourceOf(sample).inputs).map(({ path, unlisted }) => {
    const name = `${sample.type}.${path.join(".")}`;
    const prepare = beside[name] ?? ((inputs: Values) => inputs);
    return [name, unlisted, sample, path, prepare] as const;
  }),
);

it("every open list and limit of every type is tried", () => {
  expect(cells.length).toBeGreaterThan(90);
  const types = new Set(cells.map(([, , { type }]) => type));
  expect([...types].sort()).toEqual(
    allResources()
      .filter(({ inputs }) => openPlaces(inputs).length > 0)
      .map(({ type }) => type)
      .sort(),
  );
});

describe.each(cells)("%s: %j", (_name, unlisted, sample, path, prepare) => {
  const shown = formatPath(path);

  it("is taken, with a warning that names it and what is known", () => {
    const inputs = withValue(prepare({ ...sample.inputs(REF) }), path, unlisted);
    const { failures, warnings, inputs: checked } = checkInputs(resourceOf(sample), inputs);
    expect(failures.filter((failure) => failure.path === shown)).toEqual([]);
    const told = `${shown}: this version does not know ${JSON.stringify(unlisted)}; the `;
    expect(warnings).toContainEqual(expect.stringContaining(told));
    expect(path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), checked)).toBe(unlisted);
  });
});

/** The texts of a schema that take any word: those within it, by their paths. */
function listFreeTexts(schema: z.ZodType, path: readonly string[]): string[] {
  const shape = shapeOf(schema);
  if (traitsOf(schema).isOpen === true) return [];
  if (shape.kind === "string")
    return shape.inner.safeParse("value-of-tomorrow").success ? [path.join(".")] : [];
  if (shape.kind === "object")
    return Object.entries(shape.fields).flatMap(([name, field]) => listFreeTexts(field, [...path, name]));
  return listChildSchemas(shape).flatMap((child) => listFreeTexts(child, path));
}

/** What a program chooses or the service assigns: the API has no list of it, so a typo cannot be told. */
const WITHOUT_LIST: readonly string[] = [
  // Names and texts of the program.
  ...["EdgeFunction.slug", "RestorePoint.name", "Secret.name", "SqlScript.name", "SqlScript.query"],
  ...["StorageBucket.name", "VaultSecret.name"],
  // Identifiers of what is there.
  ...["OrganizationWebhookEndpoint", "Project", "ProjectClaim"].map((type) => `${type}.organizationSlug`),
  ...["BranchMerge", "BranchPush", "BranchReset"].map((type) => `${type}.migrationVersion`),
  ...["NetworkBanRemoval.databaseIdentifier", "ProjectClaim.token", "RestorePointUndo.name"],
  // Parts of a key.
  ...["d", "dp", "dq", "k", "n", "p", "q", "qi", "x", "y"].map((part) => `SigningKey.privateJwk.${part}`),
];

it("every text whose change replaces has its list, unless the API has none", () => {
  const free = allResources().flatMap(({ type, inputs }) =>
    listMarkedFields(inputs)
      .filter(([, , traits]) => traits.replaces !== undefined && traits.local !== true)
      .flatMap(([name, field]) => listFreeTexts(field, [type, name])),
  );
  expect([...new Set(free)].sort()).toEqual([...WITHOUT_LIST].sort());
});

it("what is not known yet is not judged, and neither is a value of a list", () => {
  const project = samples.find(({ type }) => type === "Project") as Sample;
  for (const region of [UNKNOWN, "eu-west-1"]) {
    const { warnings } = checkInputs(resourceOf(project), { ...project.inputs(REF), region });
    expect(warnings).toEqual([]);
  }
});

describe("a value that the program made of a secret", () => {
  const SECRET = "Zk7qWx2LmPv9RtY4";
  const project = samples.find(({ type }) => type === "Project") as Sample;
  const redaction = {
    redact: (text: string) => text.replaceAll(SECRET, "[secret]"),
    isSecret: (name: string) => name === "region",
  };

  it.each([SECRET, SECRET.repeat(500)])(
    "is shown neither in the warning nor by what is near to it",
    (region) => {
      const inputs = { ...project.inputs(REF), region };
      const { warnings, failures } = checkInputs(resourceOf(project), inputs, undefined, redaction);
      expect({ warnings, failures }).toEqual({
        warnings: [
          "region: this version does not know the value; the value is secret and not shown. It is sent to the service as it is.",
        ],
        failures: [],
      });
    },
  );

  it("is not shown where a replacement is refused", () => {
    const known = { ...project.inputs(REF), region: "eu-west-1", deletionProtection: false };
    const inputs = { ...known, region: SECRET };
    const { failures } = checkInputs(resourceOf(project), inputs, known, redaction);
    expect(failures).toEqual([
      {
        path: "region",
        reason: expect.stringMatching(
          /^this version does not know the value; the value is secret and not shown\. .*Nothing was changed/,
        ) as string,
      },
    ]);
  });

  it("is hidden in the text of another, and a long one is cut", () => {
    const warnings = ["eu", "eu".repeat(100)].flatMap((start) => {
      const inputs = { ...project.inputs(REF), instanceSize: `${start}-${SECRET}` };
      return checkInputs(resourceOf(project), inputs, undefined, redaction).warnings;
    });
    expect(warnings).toEqual([
      expect.stringContaining('instanceSize: this version does not know "eu-[secret]"; the nearest'),
      expect.stringMatching(/^instanceSize: this version does not know "[eu]{156}\.\.\.; the nearest/),
    ]);
  });
});

describe("a replacement waits until every value is known", () => {
  const replaced: readonly (readonly [string, Values, Values])[] = [
    ["Project", { region: "eu-west-1", deletionProtection: false }, { region: "eu-west-99" }],
    ["Project", { instanceSize: "128xlarge", deletionProtection: false }, { region: "us-east-2" }],
    ["Branch", { instanceSize: "micro" }, { instanceSize: "128xlarge" }],
    ["Branch", { region: "eu-west-1" }, { region: "eu-wset-1" }],
    ["Branch", { postgresEngine: "19", region: "eu-west-1" }, { region: "us-east-1" }],
    ["BillingAddon", { addonType: "pitr", variant: "pitr_7" }, { addonType: "etl", variant: "etl_default" }],
    ["SsoProvider", { nameIdFormat: "urn:next" }, { projectRef: "b".repeat(20) }],
  ];

  it.each(replaced)("%s: %j, then %j", (type, before, after) => {
    const sample = samples.find((each) => each.type === type) as Sample;
    const known = { ...sample.inputs(REF), ...before };
    const { failures } = checkInputs(resourceOf(sample), { ...known, ...after }, known);
    expect(failures).toContainEqual({
      path: expect.any(String) as string,
      reason: expect.stringMatching(
        /^this version does not know .* would be replaced because of .*Nothing was changed/,
      ) as string,
    });
    // Without a replacement it is sent.
    expect(checkInputs(resourceOf(sample), { ...known, ...after }, { ...known, ...after }).failures).toEqual(
      [],
    );
  });
});

describe("nothing is deleted for a value that no list has", () => {
  let scenario: Scenario;
  let machine: Machine;
  let projectRef: string;
  beforeEach(async () => {
    ({ scenario, machine, projectRef } = await startMachine());
  });
  afterEach(() => machine.close());
  const branch = (more: Values = {}): Declared[] =>
    declaring("Branch", { projectRef, name: "preview", ...more });
  const refsOfBranches = (): string[] =>
    scenario.emulator.control
      .call("listBranches", { ref: projectRef })
      .flatMap(({ is_default, project_ref }) => (is_default ? [] : [project_ref]));

  it.each<Values>([
    { instanceSize: "smal" },
    { releaseChannel: "nightly" },
    { postgresEngine: "99" },
    { region: "eu-wset-1" },
  ])("declared anew: %j", async (more) => {
    expect(messagesOf(await machine.up(branch()))).toEqual([]);
    const before = refsOfBranches();
    const [message] = messagesOf(await machine.up(branch(more)));
    expect(message).toContain("Nothing was changed");
    expect(refsOfBranches()).toEqual(before);
    expect(await machine.up(branch())).toEqual({ steps: [], failures: [] });
  });

  it("answered: what the service has learned since is no reason to replace", async () => {
    const program = branch({ releaseChannel: "ga" });
    expect(messagesOf(await machine.up(program))).toEqual([]);
    const before = refsOfBranches();
    const { control } = scenario.emulator;
    const body = {
      ...control.call("getBranchConfig", { branch_id_or_ref: before[0] ?? "" }),
      release_channel: "nightly",
    };
    control.addFault({ operation: "getBranchConfig", status: 200, body, times: 1 });
    expect(messagesOf(await machine.refresh())).toEqual([]);
    expect(messagesOf(await machine.up(program)).join()).toContain("--target-replace");
    expect(refsOfBranches()).toEqual(before);
    expect(messagesOf(await machine.refresh())).toEqual([]);
    expect(await machine.up(program)).toEqual({ steps: [], failures: [] });
  });
});

it("the value leaves as it is declared, and the service judges it", async () => {
  const scenario = await startScenario();
  try {
    const ref = scenario.healthyProject();
    const sample = samples.find(({ type }) => type === "PoolerConfig") as Sample;
    const managed = scenario.manage(resourceOf(sample));
    await expect(managed.create({ projectRef: ref, poolMode: "statement" })).rejects.toThrow(
      /poolMode|pool_mode/,
    );
    expect(scenario.calls("updatePoolerConfig")).toBeGreaterThan(0);
  } finally {
    await scenario.close();
  }
});

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { previewName } from "../../previews";

// A preview has no value and makes nothing on what may be production's, whatever the service says. In a process of its
// own with Pulumi's mocks: what is refused later ends a program.

const PARENT = "pppppppppppppppppppp";
const OWN = {
  ref: "bbbbbbbbbbbbbbbbbbbb",
  parentProjectRef: PARENT,
  isDefault: false,
  persistent: false,
  host: "db.bbbbbbbbbbbbbbbbbbbb.service.example",
  apiUrl: "https://bbbbbbbbbbbbbbbbbbbb.service.example",
  connectionString: "postgresql://preview",
  pooledConnectionString: "postgresql://pooler",
  sessionConnectionString: "postgresql://session",
  publishableKey: "publishable-key",
  secretKey: "secret-key",
};
const REPOSITORY = "https://forge.example.com/acme/shop";
const ARGS = {
  parentProjectRef: PARENT,
  repository: REPOSITORY,
  pullRequest: 7,
  gitBranch: "feature/search",
  settings: { workMem: "8MB" },
  secrets: { TOKEN: "value" },
};

const faults: readonly (readonly [string, Readonly<Record<string, unknown>>, object, string])[] = [
  [
    "the project itself",
    { ref: PARENT, host: `db.${PARENT}.service.example` },
    {},
    "it is the project itself",
  ],
  ["the default branch", { isDefault: true }, {}, "it is the default branch"],
  ["what may be the default branch", { isDefault: null }, {}, "or the service does not say whether it is"],
  ["another Git branch's branch", { gitBranch: "feature/other" }, {}, 'from the Git branch "feature/other"'],
  ["a persistent branch", { persistent: true }, {}, "is persistent"],
  ["what may be persistent", { persistent: null }, {}, "or the service does not say whether it is"],
  [
    "another project's branch",
    { parentProjectRef: "oooooooooooooooooooo" },
    {},
    "was created from oooooooooooooooooooo",
  ],
  ["nobody's branch", { parentProjectRef: null }, {}, "an unknown project"],
];

interface Outcome {
  readonly made: readonly { readonly type: string; readonly inputs: Readonly<Record<string, unknown>> }[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly failures: readonly string[];
}

let outcomes: readonly Outcome[];
beforeAll(() => {
  const scenes = [
    { branch: OWN, args: ARGS },
    ...faults.map(([, told, args]) => ({ branch: { ...OWN, ...told }, args: { ...ARGS, ...args } })),
  ];
  const program = join(__dirname, "fixtures", "fail-closed.cjs");
  // The SDK ends a program that was refused something with another code, and tells of it.
  const { stdout } = spawnSync(process.execPath, [program, JSON.stringify(scenes)], { encoding: "utf8" });
  outcomes = JSON.parse(stdout) as Outcome[];
});

it("has every value of a branch of its own", () => {
  const [{ made, values, failures } = { made: [], values: {}, failures: ["none"] }] = outcomes;
  expect(failures).toEqual([]);
  const onBranch = made.filter(({ type }) => type !== "PreviewEnvironment" && type !== "Branch");
  expect(onBranch.map(({ type }) => type).sort()).toEqual(["PostgresConfig", "SecretSet"]);
  for (const { inputs } of onBranch) expect(inputs["projectRef"]).toBe(OWN.ref);
  expect(made.find(({ type }) => type === "Branch")?.inputs).toMatchObject({
    ...{
      projectRef: PARENT,
      name: previewName("pr-", 7, { repository: REPOSITORY, parentRef: PARENT }),
      gitBranch: "feature/search",
      pullRequest: 7,
    },
    ...{ persistent: false, withData: false, adopt: true },
  });
  expect(values).toMatchObject({
    ref: OWN.ref,
    connectionString: OWN.connectionString,
    sessionConnectionString: OWN.sessionConnectionString,
    secretKey: OWN.secretKey,
  });
  expect(Object.keys(values)).toHaveLength(8);
});

it.each(faults.map(([what, , , why], index) => [what, why, index + 1] as const))(
  "has no value and makes nothing on %s",
  (_what, why, index) => {
    const outcome = outcomes[index];
    expect(outcome?.values).toEqual({});
    expect(outcome?.made.filter(({ type }) => !["PreviewEnvironment", "Branch"].includes(type))).toEqual([]);
    expect(outcome?.failures.join("\n")).toContain(why);
  },
);

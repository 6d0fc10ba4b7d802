import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ExportedResource, StackExport } from "../../tools/engine/stack-export";
import type { OperationResult } from "../../tools/engine/workspace";
import { PROVISIONING_TIMEOUT_MS } from "./harness";
import { everythingShown, expectSuccess, outputOf, startStack, type Stack } from "./stack";

const fixture = (name: string): string => readFileSync(join(__dirname, "fixtures", name), "utf8");

const VERSION = "0.1.0";
const program = fixture(`program-${VERSION}.js`);
/** The secrets that the program of the recorded state declares. */
const SECRETS = [...program.matchAll(/"(recorded-[a-z-]+)"/g)].map(([, secret = ""]) => secret);
const TYPES = [
  "ApiKey",
  "Branch",
  "CustomHostname",
  "EdgeFunction",
  "PostgresConfig",
  "Project",
  "Secret",
  "SigningKey",
  "SsoProvider",
];

// The recorder writes an export as the engine gave it.
const recorded = (): StackExport => JSON.parse(fixture(`state-${VERSION}.json`)) as StackExport;

/** The same stack with each of our resources as `change` makes it. */
function changed(change: (resource: ExportedResource) => ExportedResource): StackExport {
  const { version, deployment } = recorded();
  const resources = (deployment.resources ?? []).map((resource) =>
    resource.type.includes("dynamic/management:") ? change(resource) : resource,
  );
  return { version, deployment: { ...deployment, resources } };
}

const states: readonly (readonly [what: string, state: () => StackExport])[] = [
  ["as it was recorded", recorded],
  [
    "with outputs that a later version knows",
    () =>
      changed((resource) => ({
        ...resource,
        outputs: {
          ...resource.outputs,
          laterOutput: { depth: [1, { name: "later" }] },
          __laterProperty: "anything",
        },
      })),
  ],
  [
    "that does not tell which inputs are managed",
    () =>
      changed((resource) => {
        const outputs = Object.entries(resource.outputs ?? {}).filter(([name]) => name !== "__declared");
        return { ...resource, outputs: Object.fromEntries(outputs) };
      }),
  ],
];

describe(`a stack that version ${VERSION} left behind`, () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack(program);
  }, PROVISIONING_TIMEOUT_MS);
  afterAll(() => stack.dispose());

  it("has all nine resources in its state", () => {
    const types = (recorded().deployment.resources ?? []).flatMap(
      ({ type }) => /^pulumi-nodejs:dynamic\/management:(\w+)$/.exec(type)?.[1] ?? [],
    );
    expect([...new Set(types)].sort()).toEqual(TYPES);
    expect(SECRETS).toHaveLength(4);
    for (const secret of SECRETS) expect(fixture(`state-${VERSION}.json`)).not.toContain(secret);
  });

  it.each(states)(
    "is unchanged for the present version, %s, without one call",
    async (_what, state) => {
      const { workspace, emulator } = stack;
      await workspace.importStack(state());
      const results: OperationResult[] = [];
      for (const command of ["preview", "up"] as const) {
        const result = await workspace[command]({ extraArgs: ["--diff"] });
        expectSuccess(result);
        const { create, update, replace, delete: deleted } = result.summary;
        const counts = { create, update, replace, deleted };
        const isSame = Object.values(counts).every((count) => count === 0);
        expect({ command, counts, output: isSame ? "" : outputOf(result) }).toEqual({
          command,
          counts: { create: 0, update: 0, replace: 0, deleted: 0 },
          output: "",
        });
        results.push(result);
      }
      expect(emulator.control.countCalls()).toBe(0);
      const shown = everythingShown(stack, ...results);
      for (const secret of SECRETS) expect(shown).not.toContain(secret);
    },
    120_000,
  );
});

import { resourceByType } from "../../../provider/catalog/catalog";
import { UNKNOWN } from "../../../provider/define/unknown";
import { diffInputs, diffResource } from "../../../provider/engine/diff";
import { OWNER } from "../../../provider/ledger/owner";
import type { Values } from "../../../provider/define/values";
import { branch } from "../../../provider/resources/branches/branch/branch";
import type { Declared } from "../../kit/model-engine";
import { messagesOf, startMachine, type Machine } from "../../kit/machine";
import type { Scenario } from "../../kit/scenario";

let scenario: Scenario;
let machine: Machine;
let parent: string;
beforeEach(async () => {
  ({ scenario, machine, projectRef: parent } = await startMachine());
});
afterEach(() => machine.close());

const staging = (more: Values = {}): Values => ({ projectRef: parent, name: "staging", ...more });
const declare = (inputs: Values): Declared[] => [{ name: "it", type: "Branch", inputs: () => inputs }];
const branchRefs = (of = parent): string[] =>
  scenario.emulator.control
    .call("listBranches", { ref: of })
    .flatMap(({ is_default, project_ref }) => (is_default ? [] : [project_ref]));

async function made(inputs: Values): Promise<string> {
  expect(messagesOf(await machine.up(declare(inputs)))).toEqual([]);
  const { id } = machine.engine.get("it") ?? { id: "" };
  expect(branchRefs()).toEqual([id]);
  return id;
}

function makePersistent(ref: string): void {
  scenario.emulator.control.call("updateBranch", { branch_id_or_ref: ref, body: { persistent: true } });
}

it("of a branch that the service made persistent is refused, by the state alone", async () => {
  const inputs = staging({ postgresEngine: "17" });
  const ref = await made(inputs);
  makePersistent(ref);
  expect(messagesOf(await machine.refresh())).toEqual([]);
  const edited = staging({ postgresEngine: "15" });
  const [message] = messagesOf(await machine.up(declare(edited)));
  expect(message).toContain("Its `deletionProtection` is not `false` in Pulumi's state");
  expect(branchRefs()).toEqual([ref]);
  // It is no drift that nobody declares.
  expect(await machine.up(declare(inputs))).toEqual({ steps: [], failures: [] });
});

it("is not gone round by `persistent: false` in the same edit", async () => {
  const ref = await made(staging({ postgresEngine: "17", persistent: true }));
  const edited = staging({ postgresEngine: "15", persistent: false });
  const [message] = messagesOf(await machine.up(declare(edited)));
  expect(message).toContain("A change of postgresEngine replaces the Branch");
  expect(branchRefs()).toEqual([ref]);
});

it("follows `persistent: false` once that is in force", async () => {
  await made(staging({ postgresEngine: "17", persistent: true }));
  await machine.up(declare(staging({ postgresEngine: "17", persistent: false })));
  const { steps } = await machine.up(declare(staging({ postgresEngine: "15", persistent: false })));
  expect(steps).toEqual(["delete it", "create it"]);
});

it.each([
  ["one that is not persistent", {}, ["delete it", "create it"]],
  ["a persistent one", { persistent: true }, []],
])("is decided for %s as ever where it was adopted", async (_which, given, steps) => {
  scenario.emulator.control.call("createBranch", { ref: parent, body: { branch_name: "staging", ...given } });
  scenario.clock.advance(60 * 60_000);
  const inputs = staging({ postgresEngine: "17", adopt: true });
  await made(inputs);
  const outcome = await machine.up(declare({ ...inputs, postgresEngine: "15" }));
  expect(outcome.steps).toEqual(steps);
  expect(messagesOf(await machine.destroy())).toEqual([]);
  expect(branchRefs()).toEqual([]);
});

it("is refused, as is a delete, where `deletionProtection: true` is declared", async () => {
  const inputs = staging({ postgresEngine: "17", deletionProtection: true });
  const ref = await made(inputs);
  const [message] = messagesOf(await machine.up(declare({ ...inputs, postgresEngine: "15" })));
  expect(message).toContain("Its `deletionProtection` is on, as the program declares");
  expect(messagesOf(await machine.destroy()).join()).toContain(`The Branch ${ref} was not deleted`);
  expect(branchRefs()).toEqual([ref]);
  const off = { ...inputs, deletionProtection: false };
  expect(messagesOf(await machine.up(declare(off)))).toEqual([]);
  expect(messagesOf(await machine.destroy())).toEqual([]);
});

describe("of a persistent branch, by another parent", () => {
  const program = (region: string): Declared[] => [
    {
      name: "app",
      type: "Project",
      inputs: () => ({
        name: "shop",
        organizationSlug: "acme",
        dbPass: "first-password",
        region,
        deletionProtection: false,
      }),
    },
    {
      name: "it",
      type: "Branch",
      inputs: (outputs) => ({ projectRef: outputs("app")["ref"], name: "staging", persistent: true }),
    },
  ];

  it("that is named in the program is refused", async () => {
    const ref = await made(staging({ persistent: true }));
    const other = scenario.healthyProject("other");
    const [message] = messagesOf(await machine.up(declare(staging({ persistent: true, projectRef: other }))));
    expect(message).toContain(`The program declares "${other}", the state has "${parent}"`);
    expect(branchRefs()).toEqual([ref]);
    expect(branchRefs(other)).toEqual([]);
  });

  it("that replaces the present one by its own word is made in the new one", async () => {
    expect(messagesOf(await machine.up(program("eu-central-1")))).toEqual([]);
    const before = machine.engine.get("it");
    const outcome = await machine.up(program("us-east-1"));
    expect(messagesOf(outcome)).toEqual([]);
    expect(outcome.steps).toEqual(["delete app", "create app", "create it", "delete it"]);
    const after = machine.engine.get("it");
    expect(after?.id).not.toBe(before?.id);
    expect(branchRefs(String(after?.state["projectRef"]))).toEqual([after?.id]);
  });

  it.each([true, false])(
    "that is not known yet is planned as a replacement only where the present one may be replaced: %s",
    async (isReplaceable) => {
      await made(staging({ persistent: true }));
      const { id = "", state = {} } = machine.engine.get("it") ?? {};
      const owner = { [OWNER]: "urn:pulumi:dev::shop::management:index:Branch::it" };
      const inputs = { ...staging({ persistent: true, projectRef: UNKNOWN }), ...owner };
      const { runtime } = machine.begin();
      const parent = { ref: String(state["projectRef"]), deletionProtection: !isReplaceable };
      runtime.program.recordState(resourceByType("Project"), parent);
      expect(diffResource(runtime, branch, id, { ...state, ...owner }, inputs)).toMatchObject({
        replaces: isReplaceable ? ["projectRef"] : [],
        refused: [],
      });
    },
  );

  it("that may be replaced does not take a branch along that is protected by its own word", async () => {
    const other = scenario.healthyProject("other");
    const move = (isMoved: boolean): Declared[] => [
      {
        ...{ name: "app", type: "Project" },
        inputs: () => ({
          ...{ name: "shop", organizationSlug: "acme", dbPass: "a-password" },
          deletionProtection: false,
        }),
      },
      {
        ...{ name: "it", type: "Branch" },
        inputs: (outputs) => ({
          projectRef: isMoved ? other : outputs("app")["ref"],
          ...{ name: "staging", deletionProtection: true },
        }),
      },
    ];
    expect(messagesOf(await machine.up(move(false)))).toEqual([]);
    const { steps } = await machine.up(move(true));
    expect(steps).toEqual([]);
    expect(branchRefs(other)).toEqual([]);
  });
});

it("an organization that is not known yet is no reason to replace a project", async () => {
  const projects = resourceByType("Project");
  const declared = { name: "shop", organizationSlug: "acme", dbPass: "a-password" };
  const { state } = await scenario.manage(projects).create(declared);
  expect(diffInputs(projects, state, { ...declared, organizationSlug: UNKNOWN }).replaces).toEqual([]);
});

import type { Scenario } from "../../kit/scenario";
import { startMachine, type Machine } from "../../kit/machine";
import type { AnyResource } from "../../../provider/define/resource";
import { createResource, type SettledResource } from "../../../provider/engine/create/create";
import type { Runtime } from "../../../provider/engine/step/runtime";
import type { Values } from "../../../provider/define/values";
import { deleteResource } from "../../../provider/engine/delete";
import { readResource } from "../../../provider/engine/read";
import { diffResource } from "../../../provider/engine/diff";
import { apiKey } from "../../../provider/resources/auth/api-key/api-key";
import { project } from "../../../provider/resources/projects/project/project";
import { kinds } from "../../histories/object-kinds";
import { sampleOf } from "../../kit/samples";

let scenario: Scenario;
let machine: Machine;
let projectRef: string;
beforeEach(async () => {
  ({ scenario, machine, projectRef } = await startMachine());
});
afterEach(() => machine.close());

describe("a replacement right after the first run", () => {
  const NOT_REPLACED = expect.stringContaining("it was neither replaced nor deleted: ") as unknown;

  interface Case {
    readonly resource: AnyResource;
    readonly inputs: () => Values;
  }

  const cases: readonly (Case & { readonly type: string })[] = [
    {
      type: "Project",
      resource: project,
      inputs: () => ({
        ...sampleOf("Project").inputs(""),
        allowDuplicateName: true,
      }),
    },
    {
      type: "ApiKey",
      resource: apiKey,
      inputs: () => ({ projectRef, type: "secret", name: "backend" }),
    },
  ];

  describe.each(cases)("$type", ({ type, resource, inputs }) => {
    const owner = { __owner: `urn:pulumi:dev::shop::management:index:${type}::it` };
    const idsOnService = (): string[] => kinds[type]?.ids(scenario, projectRef) ?? [];
    const create = (runtime: Runtime): Promise<SettledResource> =>
      createResource(runtime, resource, { ...inputs(), ...owner });
    const remove = (runtime: Runtime, { id, state }: SettledResource): Promise<void> =>
      deleteResource(runtime, resource, id, { ...state, ...owner });

    it("survives a replacement for which the engine asks without a diff, and a warning says so", async () => {
      const before = idsOnService();
      const made = await create(machine.begin().runtime);
      const next = machine.begin();
      const again = await create(next.runtime);
      expect(again.id).toBe(made.id);
      await remove(next.runtime, made);
      expect(idsOnService()).toEqual([...before, made.id]);
      expect(next.warnings).toEqual([NOT_REPLACED]);
    });

    it.each([
      ["loaded its journal before", true],
      ["has not looked at its journal yet", false],
    ])("survives when the delete comes in a second process that %s", async (_when, isLoaded) => {
      const before = idsOnService();
      const made = await create(machine.begin().runtime);
      const creating = machine.begin();
      const deleting = machine.beginBeside();
      if (isLoaded) {
        const elsewhere = { ...made.state, projectRef: scenario.healthyProject("elsewhere"), ...owner };
        await readResource(deleting.runtime, apiKey, "another", elsewhere);
      }
      const others = idsOnService().filter((id) => id !== made.id && !before.includes(id));
      expect((await create(creating.runtime)).id).toBe(made.id);
      await remove(deleting.runtime, made);
      expect(idsOnService().sort()).toEqual([...before, made.id, ...others].sort());
      expect(deleting.warnings).toEqual([NOT_REPLACED]);
    });

    it("survives the destroy of the stack that its lines moved out of, which says where it is now", async () => {
      const before = idsOnService();
      const made = await create(machine.begin().runtime);
      // A stack of the same project and name on another backend takes the object over.
      const moved = await createResource(machine.begin().runtime, resource, {
        ...inputs(),
        ...owner,
        adopt: true,
      });
      expect(moved.id).toBe(made.id);
      const destroying = machine.begin();
      await remove(destroying.runtime, made);
      expect(idsOnService()).toEqual([...before, made.id]);
      expect(destroying.warnings).toEqual([
        expect.stringMatching(
          /if the resource has moved, in that of another stack\. Only the old record was removed .* destroy the stack that has the newer record\.$/,
        ),
      ]);
    });

    it("is replaced by the run after that, old one first", async () => {
      const before = idsOnService();
      const made = await create(machine.begin().runtime);
      const second = machine.begin();
      const kept = await create(second.runtime);
      await remove(second.runtime, made);

      const third = machine.begin();
      await remove(third.runtime, kept);
      expect(idsOnService()).toEqual(before);
      const anew = await create(third.runtime);
      expect(anew.id).not.toBe(made.id);
      expect(idsOnService()).toEqual([...before, anew.id]);
      expect(third.warnings).toEqual([]);
    });

    it("is replaced at once where the old one goes first", async () => {
      const before = idsOnService();
      const made = await create(machine.begin().runtime);
      const next = machine.begin();
      await remove(next.runtime, made);
      expect(idsOnService()).toEqual(before);
      const anew = await create(next.runtime);
      expect(anew.id).not.toBe(made.id);
      expect(idsOnService()).toEqual([...before, anew.id]);
      expect(next.warnings).toEqual([]);
    });
  });

  describe("a project beside which another of its name may stand", () => {
    const { inputs } = cases[0] ?? { inputs: () => ({}) };
    const owned = { ...inputs(), __owner: "urn:pulumi:dev::shop::management:index:Project::it" };
    const { __owner } = owned;
    const refs = (): string[] => kinds["Project"]?.ids(scenario, projectRef) ?? [];

    it("is replaced, new one first, when a diff shows that the engine knows it", async () => {
      const made = await createResource(machine.begin().runtime, project, owned);
      const next = machine.begin();
      diffResource(next.runtime, project, made.id, { ...made.state, __owner }, owned);
      const anew = await createResource(next.runtime, project, owned);
      expect(anew.id).not.toBe(made.id);
      await deleteResource(next.runtime, project, made.id, { ...made.state, __owner });
      expect(refs()).toEqual([projectRef, anew.id]);
      expect(next.warnings).toEqual([]);
    });

    it("is replaced, new one first, in the run after the one that kept it", async () => {
      const made = await createResource(machine.begin().runtime, project, owned);
      const second = machine.begin();
      const kept = await createResource(second.runtime, project, owned);
      await deleteResource(second.runtime, project, made.id, { ...made.state, __owner });

      const third = machine.begin();
      const anew = await createResource(third.runtime, project, owned);
      expect(anew.id).not.toBe(made.id);
      await deleteResource(third.runtime, project, kept.id, { ...kept.state, __owner });
      expect(refs()).toEqual([projectRef, anew.id]);
      expect(third.warnings).toEqual([]);
    });
  });
});

import type { Scenario } from "../kit/scenario";
import { startMachine, type Machine, messagesOf } from "../kit/machine";
import { resourceOf, samples, sampleOf } from "../kit/samples";
import type { Declared } from "../kit/model-engine";
import { kinds } from "../histories/object-kinds";

let scenario: Scenario;
let machine: Machine;
let projectRef: string;
beforeEach(async () => {
  ({ scenario, machine, projectRef } = await startMachine());
});
afterEach(() => machine.close());

describe("two resources of one name", () => {
  const named = samples.filter((sample) => resourceOf(sample).uniqueBy !== undefined);

  describe.each(named.map((sample) => [sample.type, sample] as const))(
    "a second %s of one name",
    (type, sample) => {
      it("is refused by its check, before anything is sent", async () => {
        sample.prepare?.(scenario, projectRef);
        const inputs = sample.inputs(projectRef);
        const program: Declared[] = ["one", "two"].map((name) => ({ name, type, inputs: () => inputs }));
        const [message] = messagesOf(await machine.up(program));
        expect(message).toContain(`::one declares the same ${type}`);
        expect(await sample.onService(scenario, projectRef)).toHaveLength(1);
        expect(machine.engine.names).toEqual(["one"]);
      });
    },
  );

  it("lets two projects share a name where the program says so", async () => {
    const inputs = {
      ...sampleOf("Project").inputs(""),
      allowDuplicateName: true,
    };
    const program: Declared[] = ["one", "two"].map((name) => ({
      name,
      type: "Project",
      inputs: () => inputs,
    }));
    expect(messagesOf(await machine.up(program))).toEqual([]);
  });
});

describe("the advice of an error about what exists", () => {
  const declared = (type: string, rest: Partial<Declared> & { readonly adoptId?: string }): Declared[] => {
    const { adoptId, ...others } = rest;
    const { inputs: given, secretInputs } = sampleOf(type);
    // An adopted project is protected by itself, and these programs end with a destroy.
    const adoption = { adoptId, ...(type === "Project" ? { deletionProtection: false } : {}) };
    const inputs = { ...given(projectRef), ...secretInputs, ...(adoptId === undefined ? {} : adoption) };
    return [{ name: "it", type, inputs: () => inputs, ...others }];
  };
  const idsOf = (type: string): string[] => kinds[type]?.ids(scenario, projectRef) ?? [];

  /** What the program may mean, with the advice for it: the first loses the least. */
  const MEANINGS = {
    renamed: /aliases: \[/,
    // What a delete leaves on the service has its name for good.
    replaced: /deleteBeforeReplace: true|declare another `/,
    "somebody else's": /adoptId: /,
  } as const;

  function adviceIn(message: string): string[] {
    const places = Object.entries(MEANINGS).map(
      ([meaning, line]) => [message.search(line), meaning] as const,
    );
    return places
      .filter(([place]) => place >= 0)
      .sort(([one], [other]) => one - other)
      .map(([, meaning]) => meaning);
  }

  /** No way that deletes it is named. */
  const holdsData = (type: string): boolean => resourceOf(sampleOf(type)).protection !== undefined;

  // A secret that is renamed goes over by itself: "a secret that is renamed", below.
  const findable = samples.filter(
    (sample) => resourceOf(sample).find !== undefined && sample.type !== "Secret",
  );

  describe.each(findable.map((sample) => [sample.type, sample] as const))(
    "a %s that is found",
    (type, sample) => {
      const all = ["renamed", "replaced", "somebody else's"];
      it.each([
        ["renamed", { name: "renamed" }, false, all],
        ["renamed on a machine that forgets its disk", { name: "renamed" }, true, all],
        ["replaced by force", { isReplaced: true }, false, ["replaced", "somebody else's"]],
      ] as const)(
        "is told how to keep what there is, when it is %s, before it is taken over",
        async (_how, edit, isForgotten, told) => {
          sample.prepare?.(scenario, projectRef);
          const runs = [await machine.up(declared(type, {})), await machine.up(declared(type, {}))];
          expect(runs.flatMap(messagesOf)).toEqual([]);
          if (isForgotten) machine.forget();
          const before = await sample.onService(scenario, projectRef);
          const [message] = messagesOf(await machine.up(declared(type, edit)));
          // What makes no create fail tells so.
          const { adoption } = resourceOf(sample);
          if (message === undefined) expect(adoption).toBeDefined();
          else
            expect(adviceIn(message)).toEqual(told.filter((each) => each !== "replaced" || !holdsData(type)));
          expect(await sample.onService(scenario, projectRef)).toEqual(before);
        },
      );
    },
  );

  describe.each(["Project", "EdgeFunction", "ApiKey"])("a %s that exists already", (type) => {
    it.each([
      ["renamed", { name: "renamed" }],
      ["replaced by force", { isReplaced: true }],
    ])("stays, with a warning, when it was taken over because it is %s", async (_why, edit) => {
      await machine.up(declared(type, {}));
      await machine.up(declared(type, {}));
      const before = idsOf(type);
      const id = machine.engine.get("it")?.id ?? "";
      expect(messagesOf(await machine.up(declared(type, { ...edit, adoptId: id })))).toEqual([]);
      expect(idsOf(type)).toEqual(before);
      expect(machine.warnings).toEqual([expect.stringMatching(/was (?:not|neither replaced nor) deleted/)]);
      expect(messagesOf(await machine.destroy())).toEqual([]);
      expect(idsOf(type)).not.toContain(id);
    });
  });

  it.each(["Project", "Branch"])(
    "a %s that is this resource's own is said to be, with no way that deletes it",
    async (type) => {
      await machine.up(declared(type, {}));
      await machine.up(declared(type, {}));
      const before = idsOf(type);
      const [message = ""] = messagesOf(await machine.up(declared(type, { isReplaced: true })));
      expect(message).toContain("This resource has it already");
      expect(message).not.toContain("deleteBeforeReplace");
      // Followed: the replacement is taken back.
      expect(await machine.up(declared(type, {}))).toEqual({ steps: [], failures: [] });
      expect(idsOf(type)).toEqual(before);
    },
  );

  it("says who has what was not removed", async () => {
    await machine.up(declared("ApiKey", {}));
    const adoptId = machine.engine.get("it")?.id ?? "";
    await machine.up(declared("ApiKey", { name: "renamed", adoptId }));
    expect(machine.warnings.join()).toContain(
      "urn:pulumi:dev::shop::management:index:ApiKey::renamed has it now",
    );
  });
});

describe("a secret that is renamed", () => {
  const secretCalled = (name: string): Declared[] => secretWith(name, "first-value");
  const namesOnService = (): string[] => [
    ...(scenario.emulator.world.state.projects.get(projectRef)?.secrets.keys() ?? []),
  ];

  const secretWith = (name: string, value: string): Declared[] => [
    { name, type: "Secret", inputs: () => ({ projectRef, name: "PAYMENT_TOKEN", value }) },
  ];

  it("goes over to the new name where its value is the declared one", async () => {
    await machine.up(secretCalled("token"));
    expect(messagesOf(await machine.up(secretCalled("payment")))).toEqual([]);
    expect(namesOnService()).toEqual(["PAYMENT_TOKEN"]);
    expect(machine.engine.names).toEqual(["payment"]);
  });

  it("is never without a secret of its name where its value is another one", async () => {
    await machine.up(secretCalled("token"));
    await machine.up(secretWith("payment", "second-value"));
    expect(namesOnService()).toEqual(["PAYMENT_TOKEN"]);
  });

  it("names the place of the old name where nothing tells it", async () => {
    scenario.emulator.control.call("createSecrets", {
      ref: projectRef,
      body: [{ name: "PAYMENT_TOKEN", value: "first-value" }],
    });
    const [message] = messagesOf(await machine.up(secretCalled("payment")));
    expect(message).toContain('`aliases: [{ name: "<its old name>" }]`');
  });
});

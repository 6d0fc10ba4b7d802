import type { Values } from "../../../provider/define/values";
import type { Scenario } from "../../kit/scenario";
import { startMachine, type Machine, declaring, messagesOf } from "../../kit/machine";
import { kinds } from "../../histories/object-kinds";
import { sampleOf } from "../../kit/samples";
import fs from "node:fs";

let scenario: Scenario;
let machine: Machine;
let projectRef: string;
beforeEach(async () => {
  ({ scenario, machine, projectRef } = await startMachine());
});
afterEach(() => machine.close());

const idsOf = (type: string): string[] => kinds[type]?.ids(scenario, projectRef) ?? [];
const program = (type: string): ReturnType<typeof declaring> =>
  declaring(type, sampleOf(type).inputs(projectRef));

describe("an old leftover of an interrupted run", () => {
  const MINUTE_MS = 60_000;
  const DAY_MS = 24 * 60 * MINUTE_MS;

  const shown = (type: string): unknown[] =>
    idsOf(type).map((id) => kinds[type]?.show(scenario, projectRef, id));

  /** A run dies as its create is about to leave: all that stays of it is an entry that knows no id. */
  async function leaveAnEntry(type: string): Promise<void> {
    sampleOf(type).prepare?.(scenario, projectRef);
    await machine.upThatDies(program(type), { point: "after the journal writes" });
  }

  async function expectNothingTaken(type: string, id: string): Promise<void> {
    const theirs = shown(type);
    const messages = messagesOf(await machine.up(program(type)));
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain(`\`adoptId: "${id}"\``);
    expect(machine.engine.names).toEqual([]);
    await machine.destroy();
    expect(shown(type)).toEqual(theirs);
  }

  function deployHello(): unknown {
    const file = [{ name: "index.ts", content: new TextEncoder().encode("export {};") }];
    const body = { metadata: { entrypoint_path: "index.ts" }, file };
    return scenario.emulator.control.call("deployFunction", { ref: projectRef, slug: "hello", body });
  }

  interface Case {
    readonly type: string;
    /** Somebody else makes one of the same name. */
    readonly make: () => unknown;
    /** What the warning of an entry that is too old tells to look for. */
    readonly lookFor: RegExp;
  }

  const cases: readonly Case[] = [
    {
      type: "ApiKey",
      make: () =>
        scenario.emulator.control.call("createApiKey", {
          ref: projectRef,
          body: { type: "secret", name: "backend", description: "theirs" },
        }),
      lookFor: /may have created the ApiKey \(.*name "backend"/,
    },
    {
      type: "EdgeFunction",
      make: deployHello,
      lookFor: /may have created the EdgeFunction \(.*slug "hello"/,
    },
    {
      type: "Secret",
      make: () =>
        scenario.emulator.control.call("createSecrets", {
          ref: projectRef,
          body: [{ name: "PAYMENT_TOKEN", value: "theirs" }],
        }),
      lookFor: /may have created the Secret \(.*name "PAYMENT_TOKEN"/,
    },
    {
      type: "CustomHostname",
      make: () =>
        scenario.emulator.control.call("initializeCustomHostname", {
          ref: projectRef,
          body: { custom_hostname: "db.example.com" },
        }),
      lookFor: /may have created the CustomHostname \(.*customHostname "db.example.com"/,
    },
    {
      type: "SigningKey",
      make: () =>
        scenario.emulator.control.call("createSigningKey", {
          ref: projectRef,
          body: { algorithm: "ES256", status: "standby" },
        }),
      lookFor: /may have created the SigningKey \(.*algorithm "ES256"/,
    },
  ];

  describe.each(cases)("$type", ({ type, make, lookFor }) => {
    it("that somebody makes half an hour later is named, and stays theirs", async () => {
      await leaveAnEntry(type);
      const before = idsOf(type);
      scenario.clock.advance(30 * MINUTE_MS);
      make();
      const [id = ""] = idsOf(type).filter((each) => !before.includes(each));
      await expectNothingTaken(type, id);
    });

    it("that somebody makes days later is named, stays theirs, and a warning says what to look for", async () => {
      await leaveAnEntry(type);
      const before = idsOf(type);
      scenario.clock.advance(3 * DAY_MS);
      make();
      const [id = ""] = idsOf(type).filter((each) => !before.includes(each));
      await expectNothingTaken(type, id);
      expect(machine.warnings).toHaveLength(1);
      expect(machine.warnings[0]).toMatch(lookFor);
      expect(machine.warnings[0]).toContain("Look for it on the service");
    });

    it("is made when nobody made one, without a warning on the first day", async () => {
      await leaveAnEntry(type);
      const before = idsOf(type);
      scenario.clock.advance(30 * MINUTE_MS);
      expect(messagesOf(await machine.up(program(type)))).toEqual([]);
      expect(idsOf(type)).toEqual([...before, ...machine.engine.idsOf(type)]);
      expect(machine.warnings).toEqual([]);
    });
  });

  describe("of an API key that somebody makes days later, told by a warning", () => {
    const named = (name: string, more: Values = {}): ReturnType<typeof declaring> =>
      declaring("ApiKey", { ...sampleOf("ApiKey").inputs(projectRef), name, ...more });
    let theirs: string;
    beforeEach(async () => {
      await machine.upThatDies(named("backend"), { point: "after the journal writes" });
      scenario.clock.advance(3 * DAY_MS);
      theirs =
        scenario.emulator.control.call("createApiKey", {
          ref: projectRef,
          body: { type: "secret", name: "backend", description: "theirs" },
        }).id ?? "";
      await machine.up(named("backend"));
      expect(machine.warnings.join()).toMatch(
        /If it exists and is yours, add `adoptId: "<identifier>"` to the resource\. If it is not yours, leave it as it is/,
      );
    });

    it("“leave it as it is” leaves it, beside one of another name", async () => {
      expect(messagesOf(await machine.up(named("another")))).toEqual([]);
      expect(machine.engine.idsOf("ApiKey")).not.toContain(theirs);
      expect(messagesOf(await machine.destroy())).toEqual([]);
      expect(kinds["ApiKey"]?.show(scenario, projectRef, theirs)).toMatchObject({ description: "theirs" });
    });

    it("“add `adoptId`” takes it over", async () => {
      expect(messagesOf(await machine.up(named("backend", { adoptId: theirs })))).toEqual([]);
      expect(machine.engine.idsOf("ApiKey")).toEqual([theirs]);
      expect(await machine.up(named("backend"))).toEqual({ steps: [], failures: [] });
    });
  });

  // service, API keys: names are unique per type.
  it("an API key of another type is left alone, even if it was made at the very moment, and ours is made", async () => {
    await leaveAnEntry("ApiKey");
    const { id } = scenario.emulator.control.call("createApiKey", {
      ref: projectRef,
      body: { type: "publishable", name: "backend" },
    });
    const before = idsOf("ApiKey");
    expect(messagesOf(await machine.up(program("ApiKey")))).toEqual([]);
    expect(idsOf("ApiKey")).toHaveLength(before.length + 1);
    await machine.destroy();
    expect(idsOf("ApiKey")).toEqual(before);
    expect(before).toContain(id);
  });

  it("another hostname is not taken, even if it was set at the very moment", async () => {
    await leaveAnEntry("CustomHostname");
    scenario.emulator.control.call("initializeCustomHostname", {
      ref: projectRef,
      body: { custom_hostname: "theirs.example.com" },
    });
    await expectNothingTaken("CustomHostname", projectRef);
  });

  it("a signing key in use that somebody makes later is left alone, and ours is made beside it", async () => {
    const inUse = declaring("SigningKey", { projectRef, algorithm: "ES256", status: "in_use" });
    await machine.upThatDies(inUse, { point: "after the journal writes" });
    scenario.clock.advance(30 * MINUTE_MS);
    const { id } = scenario.emulator.control.call("createSigningKey", {
      ref: projectRef,
      body: { algorithm: "ES256", status: "in_use" },
    });
    expect(messagesOf(await machine.up(inUse))).toEqual([]);
    const [ours] = machine.engine.idsOf("SigningKey");
    expect(ours).not.toBe(id);
    const statusOf = (of: string): string | undefined =>
      scenario.emulator.world.state.projects.get(projectRef)?.signingKeys.get(of)?.status;
    expect([statusOf(id), statusOf(ours ?? "")]).toEqual(["previously_used", "in_use"]);
  });

  it.each([
    ["ApiKey", "createApiKey"],
    ["EdgeFunction", "deployFunction"],
    ["SigningKey", "createSigningKey"],
  ] as const)("the %s that the create itself made is taken up", async (type, create) => {
    const before = idsOf(type);
    await machine.upThatDies(program(type), { point: `answer ${create}` });
    const made = idsOf(type).filter((id) => !before.includes(id));
    expect(made).toHaveLength(1);
    scenario.clock.advance(30 * MINUTE_MS);
    expect(messagesOf(await machine.up(program(type)))).toEqual([]);
    expect(machine.engine.idsOf(type)).toEqual(made);
    expect(idsOf(type)).toEqual([...before, ...made]);
  });
});

describe("a journal that cannot be written", () => {
  afterEach(() => jest.restoreAllMocks());

  /** From the journal's `count`th write on, the disk is full. */
  function fillDisk(count: number): void {
    const write = fs.writeFileSync;
    let writes = 0;
    jest.spyOn(fs, "writeFileSync").mockImplementation((file, ...rest) => {
      if (!String(file).includes("creates")) return write(file, ...rest);
      writes += 1;
      if (writes < count) return write(file, ...rest);
      throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    });
  }

  function makeTheirs(type: string): void {
    const { control } = scenario.emulator;
    if (type === "ApiKey") {
      control.call("createApiKey", { ref: projectRef, body: { type: "secret", name: "backend" } });
    } else {
      control.call("initializeCustomHostname", {
        ref: projectRef,
        body: { custom_hostname: "db.example.com" },
      });
    }
  }

  function removeByHand(type: string): void {
    scenario.emulator.control.edit(({ projects }) => {
      const project = projects.get(projectRef);
      if (project === undefined) return;
      if (type === "ApiKey") project.apiKeys.clear();
      else project.customHostname = null;
    });
  }

  describe.each([
    ["before the create", 1],
    ["between the create and its answer", 2],
  ])("a disk that is full %s", (_when, writes) => {
    it.each(["ApiKey", "CustomHostname"])("leaves nothing that a later %s matches", async (type) => {
      sampleOf(type).prepare?.(scenario, projectRef);
      removeByHand(type);
      fillDisk(writes);
      expect(messagesOf(await machine.up(program(type)))).toEqual([]);
      expect(machine.engine.idsOf(type)).toEqual(idsOf(type));
      expect(machine.warnings).toHaveLength(1);
      expect(machine.warnings[0]).toContain("no space left on device");
      jest.restoreAllMocks();

      removeByHand(type);
      expect((await machine.refresh()).steps).toEqual(["gone it"]);
      makeTheirs(type);
      const theirs = idsOf(type);
      const messages = messagesOf(await machine.up(program(type)));
      expect(messages).toHaveLength(1);
      expect(messages[0]).toContain(`\`adoptId: "${theirs[0] ?? ""}"\``);
      expect(machine.engine.names).toEqual([]);
      await machine.destroy();
      expect(idsOf(type)).toEqual(theirs);
    });
  });

  it("does not stop a run of many creates, and is told once", async () => {
    fillDisk(1);
    const many = ["one", "two", "three"].map((name) => ({
      name,
      type: "ApiKey",
      inputs: () => ({ projectRef, type: "secret", name: `key_${name}` }),
    }));
    expect(messagesOf(await machine.up(many))).toEqual([]);
    expect(machine.engine.idsOf("ApiKey").every((id) => idsOf("ApiKey").includes(id))).toBe(true);
    expect(machine.engine.names).toHaveLength(3);
    expect(machine.warnings).toHaveLength(1);
  });
});

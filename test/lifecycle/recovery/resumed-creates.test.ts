import type { Scenario } from "../../kit/scenario";
import { startMachine, type Machine, declaring, messagesOf } from "../../kit/machine";
import { kinds } from "../../histories/object-kinds";
import { sampleOf } from "../../kit/samples";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import type { OperationName } from "../../../spec/table";
import { startPluginProcess, type PluginProcess } from "../../kit/plugin-process";
import { formsOf } from "../../kit/forms";
import { generateKeyPairSync } from "node:crypto";
import type { Values } from "../../../provider/define/values";
import {
  type ProcessIdentity,
  type Processes,
  systemProcesses,
} from "../../../provider/core/process-identity";

let scenario: Scenario;
let machine: Machine;
let projectRef: string;
beforeEach(async () => {
  ({ scenario, machine, projectRef } = await startMachine());
});
afterEach(() => machine.close());

const idsOf = (type: string): string[] => kinds[type]?.ids(scenario, projectRef) ?? [];

/** A program with the sample of a type, called `it`. */
const sampled = (type: string): Program => declaring(type, sampleOf(type).inputs(projectRef));
type Program = ReturnType<typeof declaring>;

describe("a create whose process dies after the answer and before the engine stores it", () => {
  const UNRECORDED = { point: "return of create" };

  describe.each(["Project", "ApiKey", "SigningKey", "SsoProvider"])("%s", (type) => {
    it("is taken up by the next run, and destroy leaves nothing", async () => {
      const before = idsOf(type);
      await machine.upThatDies(sampled(type), UNRECORDED);
      const made = idsOf(type).filter((id) => !before.includes(id));
      expect(made).toHaveLength(1);
      expect(machine.engine.names).toEqual([]);

      expect(messagesOf(await machine.up(sampled(type)))).toEqual([]);
      expect(machine.engine.idsOf(type)).toEqual(made);
      expect(idsOf(type)).toEqual([...before, ...made]);

      expect(messagesOf(await machine.destroy())).toEqual([]);
      expect(idsOf(type)).toEqual(before);
    });

    it("is taken up by the third run when the second one ends in the same way", async () => {
      const before = idsOf(type);
      await machine.upThatDies(sampled(type), UNRECORDED);
      const after = idsOf(type);
      await machine.upThatDies(sampled(type), UNRECORDED);
      expect(machine.engine.names).toEqual([]);

      expect(messagesOf(await machine.up(sampled(type)))).toEqual([]);
      expect(idsOf(type)).toEqual(after);
      expect([...before, ...machine.engine.idsOf(type)]).toEqual(after);
    });

    it("is taken up a week later", async () => {
      await machine.upThatDies(sampled(type), UNRECORDED);
      const after = idsOf(type);
      scenario.clock.advance(7 * 24 * 60 * 60_000);
      expect(messagesOf(await machine.up(sampled(type)))).toEqual([]);
      expect(idsOf(type)).toEqual(after);
    });

    it("is made anew when it was removed by hand meanwhile", async () => {
      const before = idsOf(type);
      await machine.upThatDies(sampled(type), UNRECORDED);
      scenario.emulator.control.edit(({ projects }) => {
        const [first, ...others] = projects.values();
        for (const { ref } of others) projects.delete(ref);
        first?.apiKeys.clear();
        first?.ssoProviders.clear();
        for (const { id, legacy } of first?.signingKeys.values() ?? []) {
          if (!legacy) first?.signingKeys.delete(id);
        }
      });
      expect(messagesOf(await machine.up(sampled(type)))).toEqual([]);
      expect(idsOf(type).filter((id) => !before.includes(id))).toEqual(machine.engine.idsOf(type));
      expect(machine.engine.idsOf(type)).toHaveLength(1);
    });
  });
});

describe("an interrupted create with a made-up name", () => {
  /** A declaration without the name that the provider can make up. */
  function unnamed(type: string): ReturnType<typeof declaring> {
    const sample = sampleOf(type);
    return declaring(type, formsOf(sample).at(-1)?.inputs(sample, projectRef) ?? {});
  }

  const cases: [type: string, create: OperationName, list: OperationName][] = [
    ["Project", "createProject", "listOrganizationProjects"],
    ["ApiKey", "createApiKey", "listApiKeys"],
    ["EdgeFunction", "deployFunction", "listFunctions"],
    ["Branch", "createBranch", "listBranches"],
  ];

  describe.each(cases)("%s", (type, create, list) => {
    it("is found by the next run when the process dies at the answer", async () => {
      const before = idsOf(type);
      await machine.upThatDies(unnamed(type), { point: `answer ${create}` });
      const made = idsOf(type).filter((id) => !before.includes(id));
      expect(made).toHaveLength(1);

      expect(messagesOf(await machine.up(unnamed(type)))).toEqual([]);
      expect(machine.engine.idsOf(type)).toEqual(made);
      expect(idsOf(type)).toEqual([...before, ...made]);
    });

    it("is found by the next run when its request lands after the death", async () => {
      const before = idsOf(type);
      await machine.upThatDies(unnamed(type), { point: `request ${create}`, isUnderWay: true });
      expect(idsOf(type)).toEqual(before);

      expect(messagesOf(await machine.up(unnamed(type)))).toEqual([]);
      scenario.clock.advance(60_000);
      expect(idsOf(type)).toEqual([...before, ...machine.engine.idsOf(type)]);
      expect(machine.engine.idsOf(type)).toHaveLength(1);
    });

    it("is found by the next run after a 502 whose look-ups answer 503", async () => {
      const { control } = scenario.emulator;
      const before = idsOf(type);
      control.addFault({ operation: create, status: 502, after: true });
      control.addFault({ operation: list, status: 503, skip: 1, times: 1_000 });
      expect(messagesOf(await machine.up(unnamed(type)))).toHaveLength(1);
      control.clearFaults();
      const made = idsOf(type).filter((id) => !before.includes(id));
      expect(made).toHaveLength(1);

      expect(messagesOf(await machine.up(unnamed(type)))).toEqual([]);
      expect(machine.engine.idsOf(type)).toEqual(made);
      expect(idsOf(type)).toEqual([...before, ...made]);
    });

    it("is called the same in the next preview", async () => {
      const folder = mkdtempSync(join(tmpdir(), "management-names-"));
      const begin = (): Promise<PluginProcess> =>
        startPluginProcess(scenario, type, {
          config: {},
          env: {
            MANAGEMENT_BASE_URL: scenario.emulator.url,
            MANAGEMENT_ACCESS_TOKEN: scenario.emulator.accessToken,
            XDG_STATE_HOME: folder,
          },
        });
      const [declared] = unnamed(type);
      const inputs = declared?.inputs(() => ({})) ?? {};
      const first = await begin();
      const { inputs: named } = await first.check(inputs, {}, proposing("made_up_first"));
      scenario.emulator.control.addFault({ operation: create, status: 502, after: true });
      scenario.emulator.control.addFault({ operation: list, status: 503, skip: 1, times: 1_000 });
      await expect(first.create(named)).rejects.toThrow();
      await first.close();

      const second = await begin();
      const { inputs: again } = await second.check(inputs, {}, proposing("made_up_second"));
      await second.close();
      rmSync(folder, { recursive: true });
      expect(Object.values(named)).toContain("made_up_first");
      expect(again).toEqual(named);
    });
  });

  /** The engine proposes another name in each run. */
  function proposing(name: string): proto.CheckRequest.AutonamingOptions {
    const options = new proto.CheckRequest.AutonamingOptions();
    options.setMode(proto.CheckRequest.AutonamingOptions.Mode.PROPOSE);
    options.setProposedName(name);
    return options;
  }
});

describe("a create that lands late under another name than is declared by then", () => {
  it("is found, and replaced by what is declared now", async () => {
    const slugs = (): string[] =>
      scenario.emulator.control.call("listFunctions", { ref: projectRef }).map(({ slug }) => slug);
    const program = (slug: string): ReturnType<typeof declaring> =>
      declaring("EdgeFunction", {
        projectRef,
        slug,
        files: { "index.ts": "Deno.serve(() => new Response())" },
      });
    await machine.upThatDies(program("before"), { point: "request deployFunction", isUnderWay: true });
    expect(slugs()).toEqual([]);
    const first = messagesOf(await machine.up(program("after"))).join("\n");
    expect(first).toContain(
      "An interrupted run created the EdgeFunction before with another slug than the program declares now",
    );
    expect(messagesOf(await machine.up(program("after")))).toEqual([]);
    expect(slugs()).toEqual(["after"]);
    expect(messagesOf(await machine.destroy())).toEqual([]);
    expect(slugs()).toEqual([]);
  });
});

describe("an object that the program declares otherwise since its run was killed", () => {
  const shop = { name: "shop", organizationSlug: "acme", dbPass: "first-password" };
  const projectIn = (region: string): Program =>
    declaring("Project", { ...shop, deletionProtection: false, region });
  /** The service never shows the region of a branch. */
  const branchIn = (region: string): Program => declaring("Branch", { projectRef, name: "preview", region });

  /** A project or a branch, whose id is the reference of a project of its own. */
  async function expectMoved(inRegion: (region: string) => Program): Promise<void> {
    const regionOf = (ref: string | undefined): string | undefined =>
      scenario.emulator.world.state.projects.get(ref ?? "")?.region;
    await machine.upThatDies(inRegion("us-east-1"), { point: "return of create" });

    const [message] = messagesOf(await machine.up(inRegion("eu-west-1")));
    expect(message).toContain("with another region than the program declares now");
    const kept = machine.engine.get("it");
    expect([kept?.state["region"], regionOf(kept?.id)]).toEqual(["us-east-1", "us-east-1"]);

    expect(messagesOf(await machine.up(inRegion("eu-west-1")))).toEqual([]);
    const moved = machine.engine.get("it");
    expect(moved?.id).not.toBe(kept?.id);
    expect(regionOf(moved?.id)).toBe("eu-west-1");
  }

  it("moves a project that is declared in another region since a run was killed", async () => {
    await expectMoved(projectIn);
  });

  it("keeps a project that is declared in another region since, where the state does not allow to replace it", async () => {
    const inRegion = (region: string): Program => declaring("Project", { ...shop, region });
    await machine.upThatDies(inRegion("us-east-1"), { point: "return of create" });
    await machine.up(inRegion("eu-west-1"));
    const kept = machine.engine.get("it")?.id;
    const [message] = messagesOf(await machine.up(inRegion("eu-west-1")));
    expect(message).toContain("A change of region replaces the Project");
    // As the message advises: the recorded inputs are those that the program declared.
    await machine.refresh();
    expect(messagesOf(await machine.up(inRegion("us-east-1")))).toEqual([]);
    expect(machine.engine.get("it")?.id).toBe(kept);
    expect(scenario.emulator.world.state.projects.has(kept ?? "")).toBe(true);
  });

  it("moves a branch that is declared in another region since a run was killed", async () => {
    await expectMoved(branchIn);
  });

  it("replaces an imported signing key whose private half is declared otherwise since a run was killed", async () => {
    const jwk = (): Values => ({
      ...generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }),
    });
    const keyOf = (privateJwk: Values): Program =>
      declaring("SigningKey", { projectRef, algorithm: "ES256", status: "in_use", privateJwk });
    const imported = (): unknown[] =>
      scenario.emulator.control
        .call("listSigningKeys", { ref: projectRef })
        .keys.flatMap(({ algorithm, public_jwk: half }) => (algorithm === "ES256" ? [half] : []));
    const [before, since] = [jwk(), jwk()];
    await machine.upThatDies(keyOf(before), { point: "return of create" });

    const [message] = messagesOf(await machine.up(keyOf(since)));
    expect(message).toContain("with another privateJwk than the program declares now");
    expect(imported()).toMatchObject([{ x: before["x"] }]);
    expect(messagesOf(await machine.up(keyOf(since)))).toEqual([]);
    expect(imported()).toMatchObject([{ x: since["x"] }]);
  });
});

describe("what a process with the same id left, as in containers", () => {
  /** A process of the same id as this one. */
  function namesake(changes: Partial<ProcessIdentity>): Processes {
    const system = systemProcesses();
    return {
      own: { ...system.own, token: "the earlier one", ...changes },
      isRunning: (mark) => system.isRunning(mark),
    };
  }

  describe.each([
    ["of an earlier container", { machine: "another container" }],
    ["of an earlier start of this container", { started: "earlier" }],
  ])("what a process %s with the same id left", (_which, changes) => {
    it.each([
      ["an answer", "answer createApiKey"],
      ["a record", "return of create"],
    ])("without %s is taken up at once", async (_what, point) => {
      const before = idsOf("ApiKey");
      await machine.upThatDies(sampled("ApiKey"), { point }, namesake(changes));
      const beganMs = scenario.clock.now();
      expect(messagesOf(await machine.up(sampled("ApiKey"), systemProcesses()))).toEqual([]);
      expect(scenario.clock.now() - beganMs).toBeLessThan(1_000);
      expect(idsOf("ApiKey")).toEqual([...before, ...machine.engine.idsOf("ApiKey")]);
      expect(machine.engine.names).toEqual(["it"]);
    });
  });

  it("what a process still makes that does run is waited for, and not made a second time", async () => {
    const before = idsOf("ApiKey");
    await machine.upThatDies(sampled("ApiKey"), { point: "answer createApiKey" }, namesake({}));
    const after = idsOf("ApiKey");
    const [message] = messagesOf(await machine.up(sampled("ApiKey"), systemProcesses()));
    expect(message).toContain(`the process ${process.pid} on this machine, which is creating this resource`);
    expect(after).toHaveLength(before.length + 1);
    expect(idsOf("ApiKey")).toEqual(after);
  });
});

describe("a signing key that is created in use", () => {
  const statuses = (): string[] =>
    [...(scenario.emulator.world.state.projects.get(projectRef)?.signingKeys.values() ?? [])].map(
      ({ algorithm, status }) => `${algorithm} ${status}`,
    );

  describe.each([
    ["dies at the answer", { point: "answer createSigningKey" }],
    ["dies before the engine records the key", { point: "return of create" }],
    ["dies while the request is under way", { point: "request createSigningKey", isUnderWay: true }],
  ] as const)("when the process %s", (_when, death) => {
    it("the next run takes the key up: one key, and one rotation", async () => {
      const program = declaring("SigningKey", { projectRef, algorithm: "ES256", status: "in_use" });
      const [legacy = ""] = statuses();
      expect(legacy).toMatch(/in_use$/);
      await machine.upThatDies(program, death);

      expect(messagesOf(await machine.up(program))).toEqual([]);
      scenario.clock.advance(60_000);
      expect(statuses()).toEqual([legacy.replace("in_use", "previously_used"), "ES256 in_use"]);
      expect(scenario.calls("createSigningKey")).toBe(1);
      expect(scenario.calls("updateSigningKey")).toBe(0);
      expect((await machine.up(program)).steps).toEqual([]);
    });
  });
});

import type { ProjectRecord } from "../../../emulator/service/world/state";
import { diffResource } from "../../../provider/engine/diff";
import type { SettledResource } from "../../../provider/engine/create/create";
import { InitializationError } from "../../../provider/engine/step/errors";
import { UNKNOWN } from "../../../provider/define/unknown";
import type { Values } from "../../../provider/define/values";
import { previewUpdate } from "../../../provider/plugin/resource-steps";
import { project } from "../../../provider/resources/projects/project/project";
import { operations } from "../../../spec/table";
import { declaring, Machine, messagesOf } from "../../kit/machine";
import { resourceOf, sampleOf } from "../../kit/samples";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";
import { faultKinds } from "../fault-kinds";

const shop: Values = {
  name: "shop",
  organizationSlug: "acme",
  dbPass: "first-password",
  region: "eu-central-1",
};
const moved: Values = { ...shop, organizationSlug: "hobby" };

let scenario: Scenario;
let projects: Managed;
beforeEach(async () => {
  scenario = await startScenario();
  projects = scenario.manage(project);
});
afterEach(() => scenario.close());

function onService(ref: string): ProjectRecord {
  const found = scenario.emulator.world.state.projects.get(ref);
  if (found === undefined) throw new Error(`the emulator has no project ${ref}`);
  return found;
}
const organizationOf = (ref: string): string => onService(ref).organizationSlug;
const moveByHand = (ref: string, slug: string): void =>
  scenario.emulator.control.edit(() => void (onService(ref).organizationSlug = slug));
const sent = (): number => scenario.calls("transferProject");

async function refusalOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => {
      throw new Error("nothing was refused");
    },
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

function fingerprintIn(message: string): string {
  const [, fingerprint] = /with the fingerprint ([0-9a-f]{16}):/.exec(message) ?? [];
  if (fingerprint === undefined) throw new Error(`no fingerprint in: ${message}`);
  return fingerprint;
}

/** The consent that the refusal of a change asks for. */
async function consentTo(made: SettledResource, inputs: Values): Promise<string> {
  return fingerprintIn(await refusalOf(projects.update(made, inputs)));
}

async function transferred(): Promise<{ made: SettledResource; inputs: Values }> {
  const made = await projects.create(shop);
  const inputs = { ...moved, confirm: await consentTo(made, moved) };
  return { made: await projects.update(made, inputs), inputs };
}

async function refreshed(made: SettledResource): Promise<SettledResource> {
  scenario.nextRun();
  const read = await projects.read(made);
  if (read === undefined) throw new Error("the project is gone");
  return read;
}

/** The token sees one organization only from now on, as that of a user who is a member of no other. */
function limitToken(slug: string | null): void {
  const { control, accessToken } = scenario.emulator;
  control.edit(({ accessTokens }) => {
    const token = accessTokens.get(accessToken);
    if (token) token.organizationSlug = slug;
  });
}

describe("an edit of `organizationSlug`", () => {
  it("is planned as an update in place, and the plan says what it needs", async () => {
    const made = await projects.create(shop);
    scenario.emulator.control.clearCalls();
    const found = projects.diff(made.state, moved);
    expect(found).toMatchObject({ changes: true, replaces: [], deleteBeforeReplace: false });
    expect(found.properties).toEqual([{ path: "organizationSlug", kind: "update", replaces: false }]);
    diffResource(scenario.runtime, project, made.id, made.state, moved);
    expect(scenario.infos.join("\n")).toMatch(
      /preview of the transfer to that organization, and moves the project only if `confirm`/,
    );
    expect(scenario.calls()).toBe(0);
  });

  it("is refused with the service's preview of it, and moves nothing", async () => {
    const made = await projects.create(shop);
    const message = await refusalOf(projects.update(made, moved));
    expect(message).toContain(
      `A transfer of the project ${made.id} from the organization acme to hobby needs consent. Nothing was changed.`,
    );
    expect(message).toContain('declare `organizationSlug: "acme"`');
    expect(message).toContain(
      [
        `project ${made.id} from acme to hobby`,
        "valid: yes",
        "warning plan_changes: The plan changes from pro to free",
        "info members_change: Its members will be those of hobby",
      ].join("\n"),
    );
    expect(message).toMatch(/with the fingerprint [0-9a-f]{16}:/);
    expect([organizationOf(made.id), sent()]).toEqual(["acme", 0]);
  });

  it("moves the project with its fingerprint, once, and shows no difference afterwards", async () => {
    const { made, inputs } = await transferred();
    expect([organizationOf(made.id), sent()]).toEqual(["hobby", 1]);
    expect(made.state).toMatchObject({ organizationSlug: "hobby", organizationId: "hobby" });
    const read = await refreshed(made);
    expect(read.state).toEqual(made.state);
    expect(projects.diff(read.state, inputs).changes).toBe(false);
    expect(projects.diff(read.state, moved).changes).toBe(true);
    const without = await projects.update(read, moved);
    expect([without.state["confirm"], sent()]).toEqual([undefined, 1]);
  });

  it("is refused again where the preview has changed since, with the newest", async () => {
    const made = await projects.create(shop);
    const confirm = await consentTo(made, moved);
    scenario.emulator.control.set("organizations.hobby.plan", "team");
    const message = await refusalOf(projects.update(made, { ...moved, confirm }));
    expect(message).toContain("Nothing was changed, because `confirm` belongs to another preview");
    expect(message).toContain("The plan changes from pro to team");
    expect(fingerprintIn(message)).not.toBe(confirm);
    expect([organizationOf(made.id), sent()]).toEqual(["acme", 0]);
    await projects.update(made, { ...moved, confirm: fingerprintIn(message) });
    expect(organizationOf(made.id)).toBe("hobby");
  });

  it("counts for the project and the organizations that it names, and for no others", async () => {
    const made = await projects.create(shop);
    const confirm = await consentTo(made, moved);
    scenario.emulator.control.call("createOrganization", { body: { name: "Other" } });
    expect(await consentTo(made, { ...moved, organizationSlug: "other", confirm })).not.toBe(confirm);
    moveByHand(made.id, "other");
    expect(await consentTo(made, { ...moved, confirm })).not.toBe(confirm);
    expect(sent()).toBe(0);
  });

  it("has one fingerprint, in whichever order the service names what it brings", async () => {
    const made = await projects.create(shop);
    const notes = ["b", "a"].map((key) => ({ key, message: `${key} changes` }));
    const answer = (warnings: readonly object[]): void => {
      const attributes = { valid: true, warnings, errors: [], info: [] };
      const body = { data: { type: "project_transfer_result", attributes } };
      scenario.emulator.control.addFault({ operation: "checkProjectTransfer", status: 200, body });
    };
    answer(notes);
    const one = await consentTo(made, moved);
    answer(notes.toReversed());
    expect(await consentTo(made, moved)).toBe(one);
    answer(notes.slice(1));
    expect(await consentTo(made, moved)).not.toBe(one);
  });

  it("shows texts of others on their line, and acts on none of them", async () => {
    const made = await projects.create(shop);
    const message = "\u001b[2Kfine\nvalid: yes\u202e\n::add-mask::x";
    scenario.emulator.control.addFault({
      operation: "checkProjectTransfer",
      status: 200,
      body: {
        data: { attributes: { valid: true, errors: [], warnings: [{ key: "a\nb", message }], info: null } },
      },
    });
    const shown = await refusalOf(projects.update(made, moved));
    expect(shown.split("\n").slice(2)).toEqual([
      `project ${made.id} from acme to hobby`,
      "valid: yes",
      String.raw`warning "a\nb": \u001b[2Kfine\u000avalid: yes\u202e\u000a::add-mask::x`,
      "info: not said",
    ]);
  });

  it.each([
    ["has nothing", {}],
    ["lacks its attributes", { data: {} }],
  ])("is refused where the preview %s", async (_, body) => {
    const made = await projects.create(shop);
    scenario.emulator.control.addFault({ operation: "checkProjectTransfer", status: 200, body });
    await expect(projects.update(made, moved)).rejects.toThrow("the answer has no preview");
    expect(sent()).toBe(0);
  });

  it("is an error where the preview is not valid, with what the service has against it", async () => {
    const made = await projects.create(shop);
    const confirm = await consentTo(made, moved);
    scenario.emulator.control.set("activeProjectQuotas.free", 0);
    await expect(projects.update(made, { ...moved, confirm })).rejects.toThrow(
      `The project ${made.id} cannot be moved from the organization acme to hobby: error project_limit: The organization hobby has no room for another project. Nothing was changed.`,
    );
    expect([organizationOf(made.id), sent()]).toEqual(["acme", 0]);
  });

  it.each([
    { valid: "false" },
    { valid: 0 },
    {},
    { valid: true },
    ...["no room", [null], { project_limit: "no room" }].map((errors) => ({
      ...{ valid: true, warnings: [], info: [] },
      errors,
    })),
  ])("cannot be confirmed where the preview is of another form: %j", async (attributes) => {
    const made = await projects.create(shop);
    const body = { data: { type: "project_transfer_result", attributes } };
    scenario.emulator.control.addFault({ operation: "checkProjectTransfer", status: 200, body });
    const message = await refusalOf(projects.update(made, moved));
    expect(message).toMatch(/^checkProjectTransfer: "data\.attributes\.(?:valid|errors)/);
    expect(message).not.toContain("the fingerprint");
  });

  it("names an organization only by a slug", async () => {
    const made = await projects.create(shop);
    const before = scenario.emulator.control.call("getProject", { ref: made.id });
    const body = { ...before, organization_slug: "acme to hobby\nvalid: yes\ninfo all: Nothing changes" };
    scenario.emulator.control.addFault({ operation: "getProject", status: 200, body, times: 20 });
    const message = await refusalOf(projects.update(made, moved));
    expect(message).toContain(`\nproject ${made.id} from acme to hobby\n`);
    expect(message).not.toContain("info all");
  });

  it("changes nothing else before it is confirmed, and then all that is declared", async () => {
    const made = await projects.create(shop);
    const all = { ...moved, name: "store", dbPass: "second-password", paused: true };
    const confirm = await consentTo(made, all);
    expect(onService(made.id)).toMatchObject({ name: "shop", dbPass: "first-password" });
    await projects.update(made, { ...all, confirm });
    expect(onService(made.id)).toMatchObject({
      name: "store",
      dbPass: "second-password",
      organizationSlug: "hobby",
    });
    expect(scenario.emulator.control.call("getProject", { ref: made.id }).status).toBe("INACTIVE");
  });

  it("is refused beside a change that replaces the project, which nothing deletes then", async () => {
    const consenting = { ...shop, deletionProtection: false };
    const made = await projects.create(consenting);
    const both = { ...consenting, organizationSlug: "hobby", region: "us-east-1" };
    expect(projects.failures(both, consenting).join()).toContain(
      "A change of region replaces the Project, which is also to be moved elsewhere",
    );
    expect(projects.diff(made.state, both)).toMatchObject({ changes: true, replaces: [] });
    // As long as the organization is not known, it may be another one.
    const unknown = { ...both, organizationSlug: UNKNOWN };
    expect(projects.diff(made.state, unknown)).toMatchObject({ changes: true, replaces: [] });
    await expect(projects.update(made, both)).rejects.toThrow("also to be moved elsewhere");
    expect(sent()).toBe(0);
  });

  it("is an update while the organization is not known, of which a preview moves nothing", async () => {
    const made = await projects.create(shop);
    const unknown = { ...shop, organizationSlug: UNKNOWN };
    expect(projects.diff(made.state, unknown)).toMatchObject({ changes: true, replaces: [] });
    scenario.emulator.control.clearCalls();
    const previewOf = (inputs: Values): Values =>
      previewUpdate(project, made.state, inputs, scenario.clock.now());
    expect(previewOf(unknown)["organizationId"]).toBe(UNKNOWN);
    expect(previewOf(moved)["organizationId"]).toBe(UNKNOWN);
    expect(previewOf({ ...shop, name: "store" })["organizationId"]).toBe("acme");
    expect(scenario.calls()).toBe(0);
  });
});

describe("a project that somebody moved", () => {
  it("is not moved back by what the program declares, also with the consent to an earlier transfer", async () => {
    const { made, inputs } = await transferred();
    moveByHand(made.id, "acme");
    const read = await refreshed(made);
    expect(read.state).toMatchObject({ organizationSlug: "acme" });
    expect(projects.diff(read.state, inputs)).toMatchObject({ changes: true, replaces: [] });
    const message = await refusalOf(projects.update(read, inputs));
    expect(message).toContain("Nothing was changed, because `confirm` is a consent that no longer counts");
    expect(message).toContain('declare `organizationSlug: "acme"`');
    expect([organizationOf(made.id), sent()]).toEqual(["acme", 1]);
    // Taken out and declared once more, it is the same consent.
    const without = await projects.update(read, shop);
    await expect(projects.update(without, inputs)).rejects.toThrow("a consent that no longer counts");
    expect(fingerprintIn(message)).not.toBe(inputs["confirm"]);
    const again = await projects.update(read, { ...inputs, confirm: fingerprintIn(message) });
    expect([organizationOf(made.id), sent()]).toEqual(["hobby", 2]);
    expect((await refreshed(again)).state).toEqual(again.state);
  });

  it("is not moved back by a consent that the program has had since it was moved by hand", async () => {
    const made = await projects.create(shop);
    const inputs = { ...moved, confirm: await consentTo(made, moved) };
    moveByHand(made.id, "hobby");
    const known = await projects.update(await refreshed(made), inputs);
    moveByHand(made.id, "acme");
    const read = await refreshed(known);
    const message = await refusalOf(projects.update(read, inputs));
    expect(message).toContain("a consent that no longer counts");
    expect([organizationOf(made.id), sent()]).toEqual(["acme", 0]);
    await projects.update(read, { ...inputs, confirm: fingerprintIn(message) });
    expect(organizationOf(made.id)).toBe("hobby");
  });

  it("is recorded where it is, without a preview, where the program has the new slug", async () => {
    const made = await projects.create(shop);
    moveByHand(made.id, "hobby");
    const updated = await projects.update(made, moved);
    expect(updated.state).toMatchObject({ organizationSlug: "hobby" });
    expect([scenario.calls("checkProjectTransfer"), sent()]).toEqual([0, 0]);
  });

  it("is shown where it is by the preview, whatever the state says", async () => {
    const made = await projects.create(shop);
    scenario.emulator.control.call("createOrganization", { body: { name: "Other" } });
    moveByHand(made.id, "other");
    expect(await refusalOf(projects.update(made, moved))).toContain(`project ${made.id} from other to hobby`);
  });

  it("is not adopted where the program declares another organization", async () => {
    const ref = scenario.healthyProject("shop");
    await expect(projects.create({ ...moved, adoptId: ref })).rejects.toThrow(
      'its organizationSlug is "acme", the program declares "hobby"',
    );
    expect([scenario.calls("checkProjectTransfer"), sent()]).toEqual([0, 0]);
  });
});

describe("a service that does not transfer it", () => {
  const answer = (fault: object, operation: "checkProjectTransfer" | "transferProject"): void => {
    scenario.emulator.control.addFault({ operation, times: 5, ...fault });
  };

  it.each(["checkProjectTransfer", "transferProject"] as const)(
    "is named where %s is not served, and the console as the way",
    async (operation) => {
      const made = await projects.create(shop);
      const confirm = await consentTo(made, moved);
      answer({ status: 404, message: "Cannot POST /v2/projects/x/transfers" }, operation);
      await expect(projects.update(made, { ...moved, confirm })).rejects.toThrow(
        /This service has no transfers of projects: it answers 404.*Move the project in the service's console, run `pulumi refresh`, then declare the slug/s,
      );
      expect((await refreshed(made)).state).toMatchObject({ organizationSlug: "acme" });
    },
  );

  it("is named as an older one is, which offers no newer operation", async () => {
    const made = await projects.create(shop);
    scenario.emulator.control.set("newerOperationsOffered", false);
    await expect(projects.update(made, moved)).rejects.toThrow("This service has no transfers of projects");
  });

  it.each(["checkProjectTransfer", "transferProject"] as const)(
    "says what a 402 of %s means",
    async (operation) => {
      const made = await projects.create(shop);
      const confirm = await consentTo(made, moved);
      answer({ status: 402, message: "Upgrade" }, operation);
      await expect(projects.update(made, { ...moved, confirm })).rejects.toThrow(
        "The plan does not include a transfer of the project",
      );
    },
  );

  it("says where transfers are disabled", async () => {
    const made = await projects.create(shop);
    scenario.emulator.control.edit(() => void (onService(made.id).newer.isTransferable = false));
    await expect(projects.update(made, moved)).rejects.toThrow(
      "The service does not allow to move the project",
    );
  });

  it("is asked about an organization that does not exist, and the project is not said to be gone", async () => {
    const made = await projects.create(shop);
    const message = await refusalOf(projects.update(made, { ...moved, organizationSlug: "nobody" }));
    expect(message).toContain("Check `organizationSlug`, and use a token of a member of both organizations");
    expect(message).not.toMatch(/no longer exists|is gone/);
  });

  it("that refuses a transfer leaves the consent for the next run", async () => {
    const made = await projects.create(shop);
    const inputs = { ...moved, confirm: await consentTo(made, moved) };
    answer({ status: 403, message: "Forbidden" }, "transferProject");
    await expect(projects.update(made, inputs)).rejects.toThrow("403");
    scenario.emulator.control.clearFaults();
    scenario.nextRun();
    // Nothing of the attempt is left where the program is as before.
    expect(diffResource(scenario.runtime, project, made.id, made.state, shop).changes).toBe(false);
    await projects.update(made, inputs);
    expect(organizationOf(made.id)).toBe("hobby");
  });
});

describe("a fault", () => {
  // A call that is held ends as one does whose connection breaks, after half a minute of real time.
  const kinds = Object.entries(faultKinds).filter(([kind]) => kind !== "timeout");

  it.each(kinds)(
    "in a call of a transfer ends with the project in its new organization: %s",
    async (_, faultsFor) => {
      for (const operation of ["checkProjectTransfer", "transferProject"] as const)
        for (const fault of faultsFor(operations[operation])) {
          const made = await projects.create({ ...shop, allowDuplicateName: true });
          const inputs = { ...moved, confirm: await consentTo(made, moved) };
          scenario.emulator.control.clearCalls();
          scenario.emulator.control.addFault({ operation, ...fault });
          let state = made;
          for (let run = 1; ; run += 1) {
            scenario.nextRun();
            try {
              state = await projects.update(state, inputs);
              break;
            } catch (error) {
              if (error instanceof InitializationError) state = { id: error.id, state: error.state };
              if (run === 3) throw error;
            }
          }
          expect(organizationOf(made.id)).toBe("hobby");
          const read = await refreshed(state);
          expect(read.state).toMatchObject({ organizationSlug: "hobby" });
          expect(projects.diff(read.state, inputs).changes).toBe(false);
          // The plan of the organization has room for two.
          scenario.emulator.world.state.projects.delete(made.id);
        }
    },
  );

  it.each(["before", "after"] as const)(
    "sends the transfer once more only where it did not happen: %s",
    async (drop) => {
      const made = await projects.create(shop);
      const inputs = { ...moved, confirm: await consentTo(made, moved) };
      scenario.emulator.control.addFault({ operation: "transferProject", drop });
      await projects.update(made, inputs);
      expect([organizationOf(made.id), sent()]).toEqual(["hobby", drop === "before" ? 2 : 1]);
    },
  );

  it("waits for a service that is behind", async () => {
    const made = await projects.create(shop);
    const inputs = { ...moved, confirm: await consentTo(made, moved) };
    const before = scenario.emulator.control.call("getProject", { ref: made.id });
    scenario.emulator.control.addFault({ operation: "getProject", status: 200, body: before, times: 3 });
    scenario.emulator.control.addFault({
      operation: "getProject",
      status: 404,
      message: "Not found",
      times: 2,
    });
    const updated = await projects.update(made, inputs);
    expect(updated.state).toMatchObject({ organizationSlug: "hobby" });
  });
});

describe("a transfer beside other changes", () => {
  const both = { ...moved, dbPass: "second-password" };

  async function fails(made: SettledResource, inputs: Values): Promise<SettledResource> {
    const failure: unknown = await projects.update(made, inputs).catch((error: unknown) => error);
    if (!(failure instanceof InitializationError)) throw new Error(`no partial failure: ${String(failure)}`);
    return { id: failure.id, state: failure.state };
  }

  it.each(["the plan changes", "somebody moves it elsewhere"])(
    "is sent only with a consent to what is there after a restore, where meanwhile %s",
    async (what) => {
      const { control } = scenario.emulator;
      control.set("organizations.acme.plan", "free");
      const machine = new Machine(scenario);
      const program = (more: Values) => declaring("Project", { ...shop, paused: true, ...more });
      await machine.up(program({}));
      const all = { organizationSlug: "hobby", dbPass: "second-password", paused: false };
      const confirm = fingerprintIn(messagesOf(await machine.up(program(all))).join());
      const { outcome } = await machine.play(
        machine,
        (engine, own) => engine.up(program({ ...all, confirm }), own),
        {
          onCall(name) {
            if (name !== "updateDatabasePassword") return;
            if (what === "the plan changes") control.set("organizations.hobby.plan", "team");
            else moveByHand(machine.engine.get("it")?.id ?? "", "other");
          },
        },
      );
      expect(outcome?.failures.map(({ message }) => message).join()).toContain("needs consent");
      expect(sent()).toBe(0);
      expect(machine.engine.get("it")?.state).toMatchObject({
        ...{ organizationSlug: "acme", dbPass: "second-password" },
      });
      await machine.leave();
    },
  );

  it("leaves the state with what was changed where the service refuses it", async () => {
    const made = await projects.create(shop);
    const inputs = { ...both, confirm: await consentTo(made, both) };
    scenario.emulator.control.addFault({ operation: "transferProject", status: 403, times: 3 });
    const left = await fails(made, inputs);
    expect(left.state).toMatchObject({ organizationSlug: "acme", dbPass: onService(made.id).dbPass });
    // The state has the consent, which counts only for what it came with.
    scenario.emulator.control.clearFaults();
    scenario.nextRun();
    const confirm = await consentTo(left, inputs);
    expect((await projects.update(left, { ...inputs, confirm })).state).toMatchObject({
      organizationSlug: "hobby",
    });
  });
});

it("that does not show in time leaves in the state that the project may have been moved", async () => {
  scenario.healthyProject("other");
  const made = await projects.create(shop);
  const inputs = { ...moved, confirm: await consentTo(made, moved), timeouts: { update: 30 } };
  scenario.emulator.control.addFault({ operation: "transferProject", status: 200, body: {} });
  const failure: unknown = await projects.update(made, inputs).catch((error: unknown) => error);
  if (!(failure instanceof InitializationError)) throw new Error(`no partial failure: ${String(failure)}`);
  expect(failure.state).toMatchObject({ organizationSlug: "acme" });
  // On another machine as well, which has nothing but the state.
  moveByHand(made.id, "hobby");
  limitToken("acme");
  scenario.nextRun();
  await expect(projects.read({ id: made.id, state: failure.state })).rejects.toThrow(
    "which its program has moved to another organization, or was about to move",
  );
});

describe("a run that dies during a transfer", () => {
  async function lives(isForgetful: boolean, at?: number): Promise<readonly string[]> {
    const machine = new Machine(scenario, isForgetful);
    const program = (more: Values) => declaring("Project", { ...shop, allowDuplicateName: true, ...more });
    expect(messagesOf(await machine.up(program({})))).toEqual([]);
    const to = { organizationSlug: "hobby" };
    const confirm = fingerprintIn(messagesOf(await machine.up(program(to))).join());
    const inputs = program({ ...to, confirm });
    const death = at === undefined ? undefined : { at };
    const { process } = await machine.play(machine, (engine, own) => engine.up(inputs, own), { death });
    await machine.land();
    const { id = "" } = machine.engine.get("it") ?? {};
    expect(messagesOf(await machine.refresh())).toEqual([]);
    expect(messagesOf(await machine.up(inputs))).toEqual([]);
    expect(organizationOf(id)).toBe("hobby");
    expect(await machine.up(inputs)).toEqual({ steps: [], failures: [] });
    expect(machine.engine.get("it")).toMatchObject({ id, state: { organizationSlug: "hobby" } });
    scenario.emulator.world.state.projects.delete(id);
    await machine.leave();
    return process.points.map(({ what }) => what);
  }

  it.each([
    ["keeps its disk", false],
    ["forgets its disk", true],
  ])("is continued by the next one on a machine that %s, wherever it died", async (_, isForgetful) => {
    const points = await lives(isForgetful);
    expect(points).toContain("answer transferProject");
    for (let at = 0; at < points.length; at += 1) await lives(isForgetful, at);
  });

  it("is not taken for a project that is gone, where the token does not see it afterwards", async () => {
    const machine = new Machine(scenario);
    const program = (more: Values) => declaring("Project", { ...shop, ...more });
    await machine.up(program({}));
    const to = { organizationSlug: "hobby" };
    const confirm = fingerprintIn(messagesOf(await machine.up(program(to))).join());
    await machine.upThatDies(program({ ...to, confirm }), { point: "answer transferProject" });
    scenario.healthyProject("other");
    limitToken("acme");
    expect(messagesOf(await machine.refresh()).join()).toContain(
      "which its program has moved to another organization, or was about to move",
    );
    expect(messagesOf(await machine.up(program({ ...to, confirm }))).join()).toMatch(
      /may not see that organization. It stays in Pulumi's state/,
    );
    limitToken(null);
    expect(messagesOf(await machine.up(program({ ...to, confirm })))).toEqual([]);
    expect(scenario.emulator.control.call("listProjects", {})).toHaveLength(2);
    await machine.leave();
  });
});

describe("a token that does not see the new organization", () => {
  let made: SettledResource;
  let inputs: Values;
  let secrets: Managed;
  let secret: SettledResource;
  let branches: Managed;
  let branch: SettledResource;
  let failure: InitializationError;

  /** It is moved by a token that sees only its present organization, which has another project. */
  beforeEach(async () => {
    scenario.healthyProject("other");
    made = await projects.create(shop);
    secrets = scenario.manage(resourceOf(sampleOf("Secret")));
    secret = await secrets.create({ projectRef: made.id, name: "TOKEN", value: "value" });
    branches = scenario.manage(resourceOf(sampleOf("Branch")));
    branch = await branches.create({ projectRef: made.id, name: "preview" });
    inputs = { ...moved, confirm: await consentTo(made, moved) };
    limitToken("acme");
    failure = await projects.update(made, inputs).then(
      () => {
        throw new Error("nothing failed");
      },
      (error: unknown) => error as InitializationError,
    );
    made = { id: failure.id, state: failure.state };
  });

  it("moves it, says so, and keeps it in the state where it is by then", () => {
    expect(failure).toBeInstanceOf(InitializationError);
    expect(failure.message).toMatch(
      /answers 404 for the project \w+, which its program has moved to another organization.*Use a token that can see the organization/,
    );
    expect(failure.message).not.toMatch(/no longer exists|is gone|recreate/);
    expect([organizationOf(made.id), sent()]).toEqual(["hobby", 1]);
    expect(made.state).toMatchObject({ organizationSlug: "hobby", ref: made.id });
  });

  it("gets an error by every later step, and nothing is gone, made anew or deleted", async () => {
    const steps = [
      () => projects.read(made),
      () => projects.update(made, inputs),
      () => projects.update(made, { ...inputs, name: "store" }),
      () => projects.delete(made),
    ];
    for (const step of steps) {
      scenario.nextRun();
      const message = await refusalOf(step());
      expect(message).toContain("It stays in Pulumi's state");
      expect(message).not.toMatch(/no longer exists|creates a new/);
    }
    expect(organizationOf(made.id)).toBe("hobby");
    expect(scenario.warnings.join()).not.toContain("is gone");
  });

  it("gets the same where the listing of the new organization is readable and without it", async () => {
    scenario.emulator.control.addFault({
      operation: "listOrganizationProjects",
      status: 200,
      body: { projects: [], pagination: { count: 0, limit: 100, offset: 0 } },
      times: 20,
    });
    scenario.nextRun();
    await expect(projects.read(made)).rejects.toThrow("This does not prove that it was deleted");
  });

  it.each(["before", "after"] as const)(
    "keeps what is in it, whether the project is read %s",
    async (order) => {
      scenario.nextRun();
      const readProject = () => expect(projects.read(made)).rejects.toThrow("It stays in Pulumi's state");
      // The engine shows the project's state first, and may have its answer last.
      const reading = projects.read(made).catch(() => undefined);
      if (order === "before") await readProject();
      expect(await secrets.read(secret)).toMatchObject({ state: { name: "TOKEN" } });
      expect(await branches.read(branch)).toMatchObject({ id: branch.id });
      if (order === "after") await readProject();
      await reading;
    },
  );

  it("goes on with one that sees it", async () => {
    limitToken(null);
    scenario.nextRun();
    const settled = await projects.update(made, inputs);
    expect(settled.state).toMatchObject({ organizationSlug: "hobby", organizationId: "hobby" });
    expect(sent()).toBe(1);
    scenario.nextRun();
    expect(await secrets.read(secret)).toMatchObject({ state: { name: "TOKEN" } });
    await projects.delete(settled);
  });

  it("is told that it is gone once the service says that it was removed", async () => {
    limitToken(null);
    scenario.emulator.control.call("deleteProject", { ref: made.id });
    scenario.clock.advance(60_000);
    scenario.nextRun();
    expect(await projects.read(made)).toBeUndefined();
  });
});

describe("what is in a protected project that answers 404", () => {
  it("stays in the state, as the project does", async () => {
    scenario.healthyProject("other");
    const made = await projects.create({ ...shop, deletionProtection: true });
    const secrets = scenario.manage(resourceOf(sampleOf("Secret")));
    const secret = await secrets.create({ projectRef: made.id, name: "TOKEN", value: "value" });
    moveByHand(made.id, "hobby");
    limitToken("acme");
    scenario.nextRun();
    const [ofProject, ofSecret] = await Promise.allSettled([projects.read(made), secrets.read(secret)]);
    expect(ofProject).toMatchObject({ status: "rejected" });
    expect(ofSecret).toMatchObject({ status: "fulfilled", value: { state: { name: "TOKEN" } } });
  });
});

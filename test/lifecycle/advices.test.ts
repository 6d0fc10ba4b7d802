import { messagesOf, startMachine, type Machine } from "../kit/machine";
import { ModelEngine, type Declared } from "../kit/model-engine";
import type { Values } from "../../provider/define/values";
import type { Scenario } from "../kit/scenario";
import { forgetRemoved } from "../kit/service-changes";

// Advices that name a command or an option which writes or deletes, followed literally in the state in which they are printed
// (the table of decision 0132).

let scenario: Scenario;
let machine: Machine;
let parent: string;
beforeEach(async () => {
  ({ scenario, machine, projectRef: parent } = await startMachine());
});
afterEach(() => machine.close());

const shop: Values = {
  name: "shop",
  organizationSlug: "acme",
  dbPass: "first-password",
  region: "eu-central-1",
};
const declare = (type: string, inputs: Values, more: Partial<Declared> = {}): Declared[] => [
  { name: "it", type, inputs: () => inputs, ...more },
];
const project = (more: Values = {}): Declared[] => declare("Project", { ...shop, ...more });
const branch = (more: Values = {}): Declared[] =>
  declare("Branch", { projectRef: parent, name: "staging", ...more });

/** Projects and branches that are there, by their references. */
const present = (): string[] =>
  scenario.emulator.control
    .call("listProjects", {})
    .flatMap(({ ref, status }) => [
      ...(status === "REMOVED" || status === "GOING_DOWN" ? [] : [ref]),
      ...(ref === parent ? branchesOf(ref) : []),
    ])
    .sort();
const branchesOf = (ref: string): string[] =>
  scenario.emulator.control
    .call("listBranches", { ref })
    .flatMap(({ is_default, project_ref }) => (is_default ? [] : [project_ref]));

async function done(program: readonly Declared[]): Promise<void> {
  expect(messagesOf(await machine.up(program))).toEqual([]);
}
async function refusalOf(program: readonly Declared[]): Promise<string> {
  const [message = ""] = messagesOf(await machine.up(program));
  expect(message).not.toBe("");
  return message;
}
/** What the message says in backticks, or between two texts of it. */
function toldIn(message: string, pattern: RegExp): string {
  const [, told] = pattern.exec(message) ?? [];
  if (told === undefined) throw new Error(`it does not say ${String(pattern)}: ${message}`);
  return told;
}

describe("a change of what holds data", () => {
  it("“To keep the current one, declare …” keeps a project that was edited", async () => {
    await done(project());
    const before = present();
    const region = toldIn(
      await refusalOf(project({ region: "us-east-1" })),
      /current one, declare "([^"]+)"/,
    );
    expect(await machine.up(project({ region }))).toEqual({ steps: [], failures: [] });
    expect(present()).toEqual(before);
  });

  it("“run `pulumi refresh` first” and the value that it shows keep a branch that was changed elsewhere", async () => {
    await done(branch({ persistent: true, postgresEngine: "15" }));
    const before = present();
    scenario.emulator.control.edit(({ projects }) => {
      const of = projects.get(machine.engine.get("it")?.id ?? "");
      if (of) of.database = { ...of.database, engine: "17" };
    });
    await refusalOf(branch({ persistent: true, postgresEngine: "17" }));
    expect(messagesOf(await machine.refresh())).toEqual([]);
    expect(await machine.up(branch({ persistent: true, postgresEngine: "17" }))).toEqual({
      ...{ steps: [], failures: [] },
    });
    const postgresEngine = toldIn(
      await refusalOf(branch({ persistent: true, postgresEngine: "15" })),
      /current one, declare "([^"]+)"/,
    );
    expect(await machine.up(branch({ persistent: true, postgresEngine }))).toEqual({
      steps: [],
      failures: [],
    });
    expect(present()).toEqual(before);
  });

  it("“Only if it may be deleted, declare … without the change” deletes it with the change, and not before", async () => {
    await done(project());
    const before = present();
    const word = toldIn(await refusalOf(project({ region: "us-east-1" })), /declare `(\w+): false` without/);
    await done(project({ [word]: false }));
    expect(present()).toEqual(before);
    await done(project({ [word]: false, region: "us-east-1" }));
    expect(present()).not.toEqual(before);
  });

  it("“To leave the project where it is, declare …” and “set `confirm`” lose nothing", async () => {
    await done(project());
    const before = present();
    const edited = project({ organizationSlug: "hobby" });
    const message = messagesOf(await machine.up(edited)).join();
    const organizationSlug = toldIn(message, /where it is, declare `organizationSlug: "([^"]+)"`/);
    expect(await machine.up(project({ organizationSlug }))).toEqual({ steps: [], failures: [] });
    const confirm = toldIn(message, /with the fingerprint (\w+):/);
    await done(project({ organizationSlug: "hobby", confirm }));
    expect(present()).toEqual(before);
  });

  it("the steps for a project where the service has no transfers lose nothing", async () => {
    await done(project());
    const before = present();
    scenario.emulator.control.set("newerOperationsOffered", false);
    const message = messagesOf(await machine.up(project({ organizationSlug: "hobby" }))).join();
    expect(message).toContain(
      "Move the project in the service's console, run `pulumi refresh`, then declare the slug that it shows",
    );
    scenario.emulator.control.edit(({ projects }) => {
      const of = projects.get(machine.engine.get("it")?.id ?? "");
      if (of) of.organizationSlug = "hobby";
    });
    expect(messagesOf(await machine.refresh())).toEqual([]);
    const organizationSlug = String(machine.engine.get("it")?.inputs["organizationSlug"]);
    expect(await machine.up(project({ organizationSlug }))).toEqual({ steps: [], failures: [] });
    expect(present()).toEqual(before);
  });

  it("“To keep the current one and move it, declare …” keeps it, beside a change that replaces it", async () => {
    await done(project({ deletionProtection: false }));
    const before = present();
    const both = { deletionProtection: false, organizationSlug: "hobby", region: "us-east-1" };
    const region = toldIn(await refusalOf(project(both)), /and move it, declare "([^"]+)"/);
    const [message = ""] = messagesOf(await machine.up(project({ ...both, region })));
    const confirm = toldIn(message, /with the fingerprint (\w+):/);
    await done(project({ ...both, region, confirm }));
    expect(present()).toEqual(before);
  });
});

describe("a delete that is refused", () => {
  const messageOf = async (): Promise<string> => messagesOf(await machine.destroy()).join();

  it("“`pulumi state delete`” keeps the object", async () => {
    await done(branch({ deletionProtection: true }));
    const before = present();
    expect(await messageOf()).toContain(
      "To keep it, remove it from the state with `pulumi state delete 'urn:",
    );
    machine.engine.stateDelete("it");
    expect(await machine.destroy()).toEqual({ steps: [], failures: [] });
    expect(present()).toEqual(before);
  });

  it("“To delete it, declare …, run `pulumi up`, then destroy” deletes it with the destroy", async () => {
    await done(branch({ deletionProtection: true }));
    const before = present();
    const word = toldIn(await messageOf(), /To delete it, declare `(\w+): false`/);
    await done(branch({ [word]: false }));
    expect(present()).toEqual(before);
    expect(messagesOf(await machine.destroy())).toEqual([]);
    expect(present()).toEqual([parent]);
  });
});

describe("a project that the service could not start", () => {
  const key: Declared = {
    ...{ name: "key", type: "ApiKey" },
    inputs: (outputs) => ({ projectRef: outputs("it")["ref"], type: "secret", name: "backend" }),
  };
  const program = [...project(), key];
  /** Its reference. */
  async function failToStart(): Promise<string> {
    scenario.emulator.control.edit(({ organizations }) => {
      const of = organizations.get("acme");
      if (of) of.nextProjectOutcome = "INIT_FAILED";
    });
    const message = await refusalOf(program);
    expect(message).toMatch(
      /`pulumi destroy --target 'urn:pulumi:[^']+:Project::it' --target-dependents`, then `pulumi up`/,
    );
    return machine.engine.get("it")?.id ?? "";
  }
  async function requireAnother(failed: string): Promise<void> {
    await done(program);
    expect(present()).toHaveLength(2);
    expect(present()).not.toContain(failed);
    expect(await machine.up(program)).toEqual({ steps: [], failures: [] });
  }

  it("“`pulumi destroy --target`, then `pulumi up`” makes another one", async () => {
    const failed = await failToStart();
    const destroyed = await machine.run((process) =>
      machine.engine.destroy(process, { targets: ["it", "key"] }),
    );
    expect(messagesOf(destroyed)).toEqual([]);
    expect(present()).toEqual([parent]);
    await requireAnother(failed);
  });

  it("“If you delete it in the console instead, run `pulumi up --refresh`” makes another one", async () => {
    const failed = await failToStart();
    scenario.emulator.control.call("deleteProject", { ref: failed });
    await machine.refresh();
    expect(await refusalOf(program)).toContain("Afterwards, `pulumi up --refresh` recreates it");
    forgetRemoved(scenario);
    expect(messagesOf(await machine.refresh())).toEqual([]);
    await requireAnother(failed);
  });
});

describe("what would delete what others made", () => {
  const replica = (region: string, more: Partial<Declared> = {}): Declared[] =>
    declare("ReadReplica", { projectRef: parent, region }, more);
  const regions = (): string[] => {
    const all = scenario.emulator.world.state.projects.get(parent)?.readReplicas.values() ?? [];
    return [...all].flatMap(({ region, removedAt }) => (removedAt === null ? [region] : []));
  };
  beforeEach(() =>
    scenario.emulator.control.edit(({ projects }) => {
      projects.get(parent)?.addons.set("compute_instance", "ci_xlarge");
    }),
  );

  it("“To keep the current one, declare …” keeps it, “`pulumi up --target-replace`” replaces it", async () => {
    await done(replica("us-east-1"));
    const message = await refusalOf(replica("eu-west-1"));
    expect(regions()).toEqual(["us-east-1"]);
    const region = toldIn(message, /current one, declare "([^"]+)"/);
    expect(await machine.up(replica(region))).toEqual({ steps: [], failures: [] });
    expect(message).toContain("--target-replace 'urn:pulumi:dev::shop::management:index:ReadReplica::it'");
    await done(replica("eu-west-1", { isReplaced: true }));
    expect(regions()).toEqual(["eu-west-1"]);
  });
});

describe("an object that exists already", () => {
  it("“`aliases`” keeps a project that was renamed in the program", async () => {
    await done(project());
    const before = present();
    const renamed = declare("Project", shop, { name: "renamed" });
    const alias = toldIn(await refusalOf(renamed), /aliases: \["([^"]+)"\]/);
    expect(await machine.up(declare("Project", shop, { name: "renamed", alias }))).toEqual({
      ...{ steps: [], failures: [] },
    });
    expect(present()).toEqual(before);
  });

  it("“`adoptId`” takes over one of no program, and protects it", async () => {
    const ref = scenario.healthyProject("shop");
    const before = present();
    const adoptId = toldIn(await refusalOf(project()), /`adoptId: "([^"]+)"`/);
    expect(adoptId).toBe(ref);
    await done(project({ adoptId }));
    expect(messagesOf(await machine.destroy()).join()).toContain("was not deleted");
    expect(present()).toEqual(before);
  });

  it("“`allowDuplicateName`” makes a second one beside it", async () => {
    const ref = scenario.healthyProject("shop");
    const option = toldIn(await refusalOf(project()), /`(\w+): true` creates a second one/);
    await done(project({ [option]: true }));
    expect(present()).toContain(ref);
    expect(present()).toHaveLength(3);
  });

  it("“take that back and run again” keeps a project whose replacement something demands", async () => {
    await done(project());
    await done(project());
    const before = present();
    const message = await refusalOf(declare("Project", shop, { isReplaced: true }));
    expect(message).toContain("To keep the Project with its data, take that back and run again");
    expect(message).not.toContain("deleteBeforeReplace");
    expect(await machine.up(project())).toEqual({ steps: [], failures: [] });
    expect(present()).toEqual(before);
  });
});

describe("a branch of another purpose", () => {
  it("“Use another `name`” leaves it as it is", async () => {
    scenario.emulator.control.call("createBranch", {
      ref: parent,
      body: { branch_name: "staging", persistent: true },
    });
    scenario.clock.advance(60 * 60_000);
    const before = present();
    const message = await refusalOf(branch({ pullRequest: 7, gitBranch: "feature/a" }));
    expect(message).toContain("Use another `name`");
    expect(message).not.toMatch(/delete/i);
    await done(branch({ pullRequest: 7, gitBranch: "feature/a", name: "preview-7" }));
    expect(present()).toEqual(expect.arrayContaining(before));
  });
});

describe("the only project of the account, deleted by hand, with what the stack has in it", () => {
  const key = (projectRef: Declared["inputs"]): Declared => ({
    ...{ name: "key", type: "ApiKey" },
    inputs: (outputs) => ({ ...projectRef(outputs), type: "secret", name: "backend" }),
  });
  const whole: Declared[] = [
    { name: "shop", type: "Project", inputs: () => shop },
    key((outputs) => ({ projectRef: outputs("shop")["ref"] })),
  ];
  const alone: Declared[] = [key(() => ({ projectRef: parent }))];
  const deleteByHand = (ref: string): void => {
    scenario.emulator.control.call("deleteProject", { ref });
    forgetRemoved(scenario);
  };
  const shopRef = (): string => machine.engine.get("shop")?.id ?? "";
  const keysIn = (ref: string): number =>
    scenario.emulator.control.call("listApiKeys", { ref }).filter(({ name }) => name === "backend").length;
  /** What the program declares is there, once. */
  async function requireMadeAnew(): Promise<void> {
    await done(whole);
    expect(present()).toEqual([shopRef()]);
    expect(keysIn(shopRef())).toBe(1);
    expect(await machine.up(whole)).toEqual({ steps: [], failures: [] });
    expect(messagesOf(await machine.destroy())).toEqual([]);
    expect(present()).toEqual([]);
  }

  /** The state has the `Project` behind what is in it, so that a refresh reads it last; then it is deleted. */
  async function loseShop(): Promise<void> {
    deleteByHand(parent);
    await done(whole);
    const apart = new ModelEngine();
    machine.engine.stateMove("shop", apart);
    apart.stateMove("shop", machine.engine);
    deleteByHand(shopRef());
  }

  it("is gone with it where the `Project` is refreshed first", async () => {
    deleteByHand(parent);
    await done(whole);
    deleteByHand(shopRef());
    expect(await machine.refresh()).toEqual({ steps: ["gone shop", "gone key"], failures: [] });
    await requireMadeAnew();
  });

  it("is replaced by the next `pulumi up` where the `Project` is refreshed after it", async () => {
    await loseShop();
    expect(await machine.refresh()).toEqual({ steps: ["gone shop"], failures: [] });
    expect(machine.warnings.join()).toContain("stays in Pulumi's state");
    await requireMadeAnew();
  });

  it("is replaced by one `pulumi up --refresh` as well", async () => {
    await loseShop();
    const outcome = await machine.run(async (process) => {
      await machine.engine.refresh(process);
      return machine.engine.up(whole, process);
    });
    expect(messagesOf(outcome)).toEqual([]);
    await requireMadeAnew();
  });

  it("“`pulumi state delete`” ends it where the stack does not have the `Project`", async () => {
    await done(alone);
    deleteByHand(parent);
    expect(await machine.refresh()).toEqual({ steps: [], failures: [] });
    expect(machine.warnings.join()).toContain(
      "If the project was deleted, remove what was in it from the state with `pulumi state delete`",
    );
    // “run `pulumi refresh` and run again. If that does not help, remove it …”
    for (let time = 0; time < 2; time += 1) {
      const message = messagesOf(await machine.destroy()).join();
      expect(message).toContain("If the project was deleted, run `pulumi refresh` and run again");
      expect(toldIn(message, /pulumi state delete '(urn:[^']+)'/)).toMatch(/::key$/);
      await machine.refresh();
    }
    machine.engine.stateDelete("key");
    expect(await machine.destroy()).toEqual({ steps: [], failures: [] });
    expect(present()).toEqual([]);
  });
});

import type { FaultRule } from "../../emulator/service/server/faults";
import { importResource } from "../../provider/engine/import";
import type { SettledResource } from "../../provider/engine/create/create";
import type { ReadResult } from "../../provider/engine/read";
import type { Values } from "../../provider/define/values";
import type { OperationName } from "../../spec/table";
import { isObject } from "../../spec/is-object";
import { withJson, type Disturbed } from "../kit/answer-proxy";
import { resourceOf, sampleOf } from "../kit/samples";
import { startScenario, type Managed, type Scenario } from "../kit/scenario";

// A refresh compares the configurations of a project by one call. Whatever that call does not show as declared is read by the
// configuration's own call (docs/decisions/0157).

/** The own read of each, and its part of the one answer. */
const OWN = {
  AuthConfig: { operation: "getAuthConfig", section: "auth" },
  RealtimeConfig: { operation: "getRealtimeConfig", section: "realtime" },
  StorageConfig: { operation: "getStorageConfig", section: "storage" },
  PostgresConfig: { operation: "getPostgresConfig", section: "database" },
} as const satisfies Readonly<Record<string, { operation: OperationName; section: string }>>;

type Type = keyof typeof OWN;
const TYPES = Object.keys(OWN) as Type[];
const NONE: readonly Type[] = [];

interface Made {
  readonly type: Type;
  readonly managed: Managed;
  readonly made: SettledResource;
}

let scenario: Scenario;
let ref: string;
beforeEach(async () => {
  scenario = await startScenario({ isProxied: true });
  ref = scenario.healthyProject();
});
afterEach(() => scenario.close());

/** Those of the samples, of PostgresConfig without what takes a query of the database. */
function inputsOf(type: Type, projectRef = ref): Values {
  return type === "PostgresConfig" ? { projectRef, workMem: "16MB" } : sampleOf(type).inputs(projectRef);
}

function changedOf(type: Type): Values {
  return type === "PostgresConfig" ? { projectRef: ref, workMem: "32MB" } : sampleOf(type).changed(ref);
}

async function create(types: readonly Type[], projectRef = ref): Promise<Made[]> {
  const all: Made[] = [];
  for (const type of types) {
    const managed = scenario.manage(resourceOf(sampleOf(type)));
    all.push({ type, managed, made: await managed.create(inputsOf(type, projectRef)) });
  }
  return all;
}

function nextRun(): void {
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
}

const read = ({ managed, made }: Made): Promise<ReadResult | undefined> => managed.read(made);

/** In a run of its own, beside each other. */
async function refresh(all: readonly Made[]): Promise<(ReadResult | undefined)[]> {
  nextRun();
  return Promise.all(all.map(read));
}

/** How often the one call was made, and the types that were read by their own. */
function countReads(): { together: number; own: Type[] } {
  const own = TYPES.filter((type) => scenario.calls(OWN[type].operation) > 0);
  expect(own.map((type) => scenario.calls(OWN[type].operation))).toEqual(own.map(() => 1));
  return { together: scenario.calls("getProjectConfig"), own };
}

/** Replaces the attributes of the one answer. */
function rewriteAttributes(change: (attributes: Values) => Values): Disturbed {
  return scenario.proxy.disturb({
    operation: "getProjectConfig",
    rewrite: (answer) =>
      withJson(answer, (body) => {
        const { data } = body as { data: { attributes: Values } };
        return { data: { ...data, attributes: change(data.attributes) } };
      }),
  });
}

function section(attributes: Values, name: string): Values {
  const found = attributes[name];
  if (!isObject(found)) throw new Error(`there is no section ${name}`);
  return found;
}

describe("a refresh of the configurations of a project", () => {
  it("is one call, and shows what one of each shows", async () => {
    const all = await create(TYPES);
    expect(scenario.calls("getProjectConfig")).toBe(0);
    const together = await refresh(all);
    expect(countReads()).toEqual({ together: 1, own: NONE });
    for (const [index, each] of all.entries()) {
      const [alone] = await refresh([each]);
      expect(countReads()).toEqual({ together: 0, own: [each.type] });
      expect(together[index]).toEqual(alone);
    }
  });

  it("is one call of each project", async () => {
    const other = scenario.healthyProject("other");
    const all = [...(await create(TYPES)), ...(await create(TYPES, other))];
    await refresh(all);
    expect(countReads()).toEqual({ together: 2, own: NONE });
  });

  it("is one call for those that come after the first one, where the engine begins one at a time", async () => {
    const all = await create(TYPES);
    nextRun();
    for (const each of all) await read(each);
    expect(countReads()).toEqual({ together: 1, own: ["AuthConfig"] });
  });

  it("is no more than one call for each where there are two", async () => {
    const all = await create(["StorageConfig", "AuthConfig"]);
    await refresh(all);
    expect(countReads()).toEqual({ together: 1, own: NONE });
    nextRun();
    for (const each of all) await read(each);
    expect(countReads()).toEqual({ together: 1, own: ["StorageConfig"] });
  });

  it("is one read of a type that several resources have", async () => {
    const [one] = await create(["RealtimeConfig"]);
    if (one === undefined) throw new Error("nothing was made");
    await refresh([one, one]);
    expect(countReads()).toEqual({ together: 0, own: ["RealtimeConfig"] });
  });
});

describe("drift", () => {
  it.each(TYPES)("of %s is found by the one call, and read by its own", async (type) => {
    const all = await create(TYPES);
    scenario.emulator.control.edit((state) => sampleOf(type).editOutside?.(state, ref));
    const reads = await refresh(all);
    expect(countReads()).toEqual({ together: 1, own: [type] });
    const changed = all.filter(
      ({ managed, type: one }, index) => managed.diff(reads[index]?.state ?? {}, inputsOf(one)).changes,
    );
    expect(changed.map((each) => each.type)).toEqual([type]);
  });

  it("that an earlier refresh found is asked for again by its own call while a value is missing", async () => {
    const all = await create(TYPES);
    scenario.emulator.control.edit(({ projects }) => {
      const realtime = projects.get(ref)?.realtime;
      if (realtime) realtime.config = { ...realtime.config, max_concurrent_users: null };
    });
    const unset = (await refresh(all))[TYPES.indexOf("RealtimeConfig")];
    expect(unset?.inputs).not.toHaveProperty("maxConcurrentUsers");
    const later = all.map((each) =>
      each.type === "RealtimeConfig" ? { ...each, made: { ...each.made, state: unset?.state ?? {} } } : each,
    );
    const reads = await refresh(later);
    expect(countReads()).toEqual({ together: 1, own: ["RealtimeConfig"] });
    expect(reads[TYPES.indexOf("RealtimeConfig")]?.inputs).not.toHaveProperty("maxConcurrentUsers");
  });
});

describe("the one call", () => {
  it("is made once in a run where the service refuses it to the token or the plan, whichever project it is of", async () => {
    const other = scenario.healthyProject("other");
    const [first, second] = [await create(TYPES), await create(TYPES, other)];
    for (const status of [402, 403]) {
      scenario.emulator.control.addFault({ operation: "getProjectConfig", status, times: 9 });
      await refresh(first);
      expect(countReads()).toEqual({ together: 1, own: TYPES });
      scenario.emulator.control.clearCalls();
      await Promise.all(second.map(read));
      expect(countReads()).toEqual({ together: 0, own: TYPES });
      scenario.emulator.control.clearFaults();
    }
    await refresh(first);
    expect(countReads()).toEqual({ together: 1, own: NONE });
  });

  it("is made once in a run where the service does not have it", async () => {
    const other = scenario.healthyProject("other");
    const [first, second] = [await create(TYPES), await create(TYPES, other)];
    scenario.emulator.control.set("service", "2026-06");
    await refresh(first);
    await Promise.all(second.map(read));
    expect(scenario.calls("getProjectConfig")).toBe(1);
    expect(TYPES.map((type) => scenario.calls(OWN[type].operation))).toEqual(TYPES.map(() => 2));
  });

  it("is made of other projects where it says of one that it does not know it", async () => {
    const other = scenario.healthyProject("other");
    const [first, second] = [await create(TYPES), await create(TYPES, other)];
    scenario.emulator.control.addFault({
      operation: "getProjectConfig",
      status: 404,
      message: "Project not found",
    });
    await refresh(first);
    expect(countReads()).toEqual({ together: 1, own: TYPES });
    scenario.emulator.control.clearCalls();
    await Promise.all(second.map(read));
    expect(countReads()).toEqual({ together: 1, own: NONE });
  });

  it("is not repeated, and its failure is nobody's", async () => {
    const all = await create(TYPES);
    const failures: Readonly<Record<string, FaultRule>> = {
      "a server error": { status: 500 },
      "a bad request": { status: 400 },
      "a rejected token": { status: 401 },
      "a connection that ends": { drop: "before" },
      "half an answer": { drop: "midway" },
      "no JSON": { status: 200, body: "<html>" },
      "an empty answer": { status: 200, body: {} },
      "another kind of answer": { status: 200, body: { data: [1, "two", null] } },
      null: { status: 200, body: null },
    };
    const outcomes: Record<string, unknown> = {};
    for (const [name, fault] of Object.entries(failures)) {
      scenario.emulator.control.addFault({ operation: "getProjectConfig", times: 9, ...fault });
      const reads = await refresh(all);
      outcomes[name] = { ...countReads(), inputs: reads.map((each) => each?.inputs) };
      scenario.emulator.control.clearFaults();
    }
    const usual = { together: 1, own: TYPES, inputs: TYPES.map((type) => inputsOf(type)) };
    expect(outcomes).toEqual(Object.fromEntries(Object.keys(failures).map((name) => [name, usual])));
    expect(scenario.warnings).toEqual([]);
  });

  it("is waited for 30 seconds at most", async () => {
    const all = await create(TYPES);
    scenario.emulator.control.addFault({ operation: "getProjectConfig", takesMs: 60_000 });
    const beganMs = scenario.clock.now();
    await refresh(all);
    expect(countReads().own).toEqual(TYPES);
    expect(scenario.clock.now() - beganMs).toBeLessThan(35_000);
  });

  it("waits for no rate limit, which counts it apart from what is of the project", async () => {
    const all = await create(TYPES);
    scenario.emulator.control.addFault({ operation: "getProjectConfig", status: 429 });
    await refresh(all);
    expect(countReads()).toEqual({ together: 1, own: TYPES });
    const beganMs = scenario.clock.now();
    await refresh(all);
    expect(countReads()).toEqual({ together: 0, own: TYPES });
    expect(scenario.clock.now() - beganMs).toBeLessThan(2_000);
  });

  it("changes nothing of what a refresh keeps of a paused project", async () => {
    const all = await create(TYPES);
    scenario.emulator.control.edit(({ organizations }) => {
      const acme = organizations.get("acme");
      if (acme) acme.plan = "free";
    });
    scenario.emulator.control.call("pauseProject", { ref });
    scenario.clock.advance(60 * 60_000);
    for (const status of [undefined, 500]) {
      if (status !== undefined)
        for (const operation of ["getProjectConfig", ...TYPES.map((type) => OWN[type].operation)] as const)
          scenario.emulator.control.addFault({ operation, status, times: 99 });
      const reads = await refresh(all);
      expect(reads.map((each) => each?.inputs)).toEqual(TYPES.map((type) => inputsOf(type)));
    }
  });
});

describe("what the one answer shows of a configuration", () => {
  /** Refreshes with these attributes until the next one. */
  async function refreshWith(all: readonly Made[], change: (attributes: Values) => Values): Promise<unknown> {
    const rewriting = rewriteAttributes(change);
    const reads = await refresh(all);
    rewriting.end();
    return { ...countReads(), inputs: reads.map((each) => each?.inputs) };
  }

  it("is asked for by the own call where its section is missing, null or of another kind", async () => {
    const all = await create(TYPES);
    const inputs = TYPES.map((type) => inputsOf(type));
    for (const type of TYPES) {
      const { section: name } = OWN[type];
      for (const value of [undefined, null, [], "text"]) {
        const outcome = await refreshWith(all, (attributes) => ({ ...attributes, [name]: value }));
        expect(outcome).toEqual({ together: 1, own: [type], inputs });
      }
    }
  });

  it("is asked for by the own call where a declared value is null, hidden, missing or of another kind", async () => {
    const all = await create(TYPES);
    const declared = {
      auth: "smtp_pass",
      realtime: "private_only",
      storage: "file_size_limit",
    };
    const inputs = TYPES.map((type) => inputsOf(type));
    const changes: ((value: unknown) => unknown)[] = [
      () => null,
      () => "********",
      () => undefined,
      (value) => [value],
    ];
    for (const change of changes) {
      const outcome = await refreshWith(all, (attributes) => {
        const changed = Object.entries(declared).map(([name, field]) => {
          const values = section(attributes, name);
          return [name, { ...values, [field]: change(values[field]) }] as const;
        });
        const database = section(attributes, "database");
        const settings = section(database, "postgres_settings");
        const postgres = { ...settings, work_mem: change(settings["work_mem"]) };
        return {
          ...attributes,
          ...Object.fromEntries(changed),
          database: { ...database, postgres_settings: postgres },
        };
      });
      expect(outcome).toEqual({ together: 1, own: TYPES, inputs });
    }
  });

  it("is compared whatever stands beside it", async () => {
    const all = await create(TYPES);
    rewriteAttributes((attributes) => {
      const grown = Object.entries(attributes).map(([name, values]): [string, unknown] => [
        name,
        isObject(values) ? { ...values, from_tomorrow: { on: [1, null] }, __proto__x: "y" } : values,
      ]);
      return { ...Object.fromEntries(grown), pooler: null, later: [{}] };
    });
    await refresh(all);
    expect(countReads()).toEqual({ together: 1, own: NONE });
  });

  it("is another value only as far as the own call says so", async () => {
    const all = await create(TYPES);
    rewriteAttributes((attributes) => ({
      ...attributes,
      auth: { ...section(attributes, "auth"), jwt_exp: 7 },
    }));
    const reads = await refresh(all);
    expect(countReads()).toEqual({ together: 1, own: ["AuthConfig"] });
    expect(reads.map((each) => each?.inputs)).toEqual(TYPES.map((type) => inputsOf(type)));
  });

  it("says nothing of a setting that this version does not have", async () => {
    const managed = scenario.manage(resourceOf(sampleOf("AuthConfig")));
    scenario.emulator.control.set("newer", true);
    const inputs = { projectRef: ref, extraSettings: { mfa_allow_low_aal: true } };
    const made = await managed.create(inputs);
    const others = await create(["RealtimeConfig", "StorageConfig"]);
    await refresh([{ type: "AuthConfig", managed, made }, ...others]);
    expect(countReads()).toEqual({ together: 1, own: ["AuthConfig"] });
  });
});

describe("what is not compared", () => {
  const lies = (): Disturbed =>
    rewriteAttributes((attributes) => ({
      ...attributes,
      realtime: { ...section(attributes, "realtime"), max_joins_per_second: 77 },
    }));

  it("is read by its own call before a write and a delete, though the one answer is there", async () => {
    const before = scenario.emulator.control.call("getRealtimeConfig", { ref });
    const all = await create(TYPES);
    for (const { managed, made, type } of all) {
      await Promise.all([refresh(all.filter((each) => each.type !== type)), managed.read(made)]);
      scenario.emulator.control.clearCalls();
      const updated = await managed.update(made, changedOf(type));
      expect(scenario.calls(OWN[type].operation)).toBeGreaterThan(0);
      scenario.emulator.control.clearCalls();
      await managed.delete(updated);
      expect(scenario.calls(OWN[type].operation)).toBeGreaterThan(0);
      expect(scenario.calls("getProjectConfig")).toBe(0);
    }
    expect(scenario.emulator.control.call("getRealtimeConfig", { ref })).toEqual(before);
  });

  it("is never what a delete restores", async () => {
    const before = scenario.emulator.control.call("getRealtimeConfig", { ref });
    lies();
    const all = await create(["RealtimeConfig", "AuthConfig"]);
    const reads = await refresh(all);
    const [realtime] = all;
    await realtime?.managed.delete({ id: ref, state: reads[0]?.state ?? {} });
    expect(scenario.emulator.control.call("getRealtimeConfig", { ref })).toEqual(before);
  });

  it("is an import, nor a create", async () => {
    nextRun();
    const imports = TYPES.map((type) =>
      importResource(scenario.runtime, resourceOf(sampleOf(type)), ref, true),
    );
    const found = await Promise.all(imports);
    expect(found.map((each) => each?.id)).toEqual(TYPES.map(() => ref));
    expect(countReads()).toEqual({ together: 0, own: TYPES });
  });

  it("is asked for again after a write of the same run", async () => {
    const all = await create(TYPES);
    const [first, second] = [await refresh(all), all[1]];
    expect(first).toHaveLength(TYPES.length);
    if (second === undefined) throw new Error("nothing was made");
    await second.managed.update(second.made, changedOf(second.type));
    scenario.emulator.control.clearCalls();
    await Promise.all(all.filter((each) => each !== second).map(read));
    expect(scenario.calls("getProjectConfig")).toBe(1);
  });
});

describe("outputs", () => {
  it("that need another call are asked for all the same", async () => {
    const managed = scenario.manage(resourceOf(sampleOf("PostgresConfig")));
    const inputs = { projectRef: ref, maxConnections: 120, restartDatabase: false };
    const made = await managed.create(inputs);
    const all = [...(await create(["StorageConfig"])), { type: "PostgresConfig" as const, managed, made }];
    const [, waiting] = await refresh(all);
    expect(countReads()).toEqual({ together: 1, own: NONE });
    expect(waiting?.state["pendingRestart"]).toEqual(["maxConnections"]);
    scenario.emulator.control.addFault({ operation: "runReadOnlyQuery", status: 403 });
    const [, unknown] = await refresh(all);
    expect(unknown?.state).not.toHaveProperty("pendingRestart");
  });

  it("that the one answer cannot show are renewed by the own call of a type that has one", async () => {
    const rest = scenario.manage(resourceOf(sampleOf("RestLayerConfig")));
    const made = await rest.create(sampleOf("RestLayerConfig").inputs(ref));
    const others = await create(["AuthConfig", "StorageConfig"]);
    scenario.emulator.control.edit(({ projects }) => {
      const project = projects.get(ref);
      if (project) project.jwtSecret = "another-secret-of-the-project";
    });
    nextRun();
    const [renewed] = await Promise.all([rest.read(made), ...others.map(read)]);
    expect(countReads()).toEqual({ together: 1, own: NONE });
    expect(renewed?.state["jwtSecret"]).toBe("another-secret-of-the-project");
  });

  it("that it shows otherwise are read by the own call", async () => {
    const all = await create(["AuthConfig", "StorageConfig"]);
    scenario.emulator.control.edit(({ projects }) => {
      const storage = projects.get(ref)?.storage;
      if (storage) storage.migrationVersion = "a-later-one";
    });
    const [, shown] = await refresh(all);
    expect(countReads()).toEqual({ together: 1, own: ["StorageConfig"] });
    expect(shown?.state["migrationVersion"]).toBe("a-later-one");
  });

  it("that a state lacks are read by the own call", async () => {
    const all = await create(["StorageConfig", "AuthConfig"]);
    const [storage, auth] = all;
    if (storage === undefined || auth === undefined) throw new Error("nothing was made");
    const { migrationVersion: _version, ...state } = storage.made.state;
    const [filled] = await refresh([{ ...storage, made: { ...storage.made, state } }, auth]);
    expect(countReads()).toEqual({ together: 1, own: ["StorageConfig"] });
    expect(filled?.state["migrationVersion"]).toBe(storage.made.state["migrationVersion"]);
  });
});

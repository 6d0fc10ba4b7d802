import { postgresConfig } from "../../provider/resources/database/postgres-config/postgres-config";
import { secretSet } from "../../provider/resources/functions/secret-set/secret-set";
import { allowedCidr } from "../../provider/resources/network/allowed-cidr/allowed-cidr";
import { networkRestrictions } from "../../provider/resources/network/network-restrictions/network-restrictions";
import { startScenario, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
let ref: string;
beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
});
afterEach(() => scenario.close());

type Method =
  "updatePostgresConfig" | "createSecrets" | "patchNetworkRestrictions" | "applyNetworkRestrictions";

/** Another program's write is carried out right after each of the first `times` of this one's. */
function otherWrites(method: Method, times: number, write: () => void): void {
  const send = scenario.client[method].bind(scenario.client) as (...args: unknown[]) => Promise<unknown>;
  let left = times;
  jest.spyOn(scenario.client, method).mockImplementation((async (...args: unknown[]) => {
    const answer = await send(...args);
    left -= 1;
    if (left >= 0) write();
    return answer;
  }) as never);
}

const project = () => scenario.emulator.world.state.projects.get(ref);
const setPostgres = (overrides: Record<string, unknown>): void =>
  scenario.emulator.control.edit(({ projects }) => {
    const record = projects.get(ref);
    if (record) Object.assign(record, { postgresOverrides: overrides });
  });

describe("PostgresConfig", () => {
  const configs = () => scenario.manage(postgresConfig);
  const declared = () => ({ projectRef: ref, workMem: "16MB", maxConnections: 120 });

  it("writes once more what another program took back, and keeps what that set", async () => {
    otherWrites("updatePostgresConfig", 1, () => setPostgres({ statement_timeout: "5s" }));
    const made = await configs().create(declared());
    expect(project()?.postgresOverrides).toEqual({
      statement_timeout: "5s",
      work_mem: "16MB",
      max_connections: 120,
    });
    expect(scenario.calls("updatePostgresConfig")).toBe(2);
    expect(scenario.infos.join()).toContain("overwrote `maxConnections`, `workMem`: written once more");
    expect(made.state).toMatchObject({ workMem: "16MB", __found: { unset: ["maxConnections", "workMem"] } });
  });

  it("does the same of an update", async () => {
    const made = await configs().create(declared());
    otherWrites("updatePostgresConfig", 1, () =>
      setPostgres({ work_mem: "16MB", max_connections: 120, statement_timeout: "5s" }),
    );
    await configs().update(made, { ...declared(), workMem: "32MB" });
    expect(project()?.postgresOverrides).toMatchObject({ work_mem: "32MB", statement_timeout: "5s" });
  });

  it("only warns of another value of the same setting, which would be written in turns otherwise", async () => {
    otherWrites("updatePostgresConfig", 9, () => setPostgres({ work_mem: "8MB", max_connections: 120 }));
    const made = await configs().create(declared());
    expect(scenario.calls("updatePostgresConfig")).toBe(1);
    expect(scenario.warnings.join()).toContain("`workMem` of the PostgresConfig");
    // What is there is in the state, so that the next plan shows it.
    expect(made.state).toMatchObject({ workMem: "8MB", maxConnections: 120 });
  });

  it("gives up after one more write", async () => {
    otherWrites("updatePostgresConfig", 9, () => setPostgres({}));
    await configs().create(declared());
    expect(scenario.calls("updatePostgresConfig")).toBe(2);
    expect(scenario.warnings.join()).toContain("`maxConnections`, `workMem` of the PostgresConfig");
  });

  it("looks no more where nothing was written", async () => {
    const made = await configs().create(declared());
    scenario.nextRun();
    scenario.emulator.control.clearCalls();
    await configs().update(made, { ...declared(), restartDatabase: true });
    expect(scenario.calls()).toBe(0);
  });

  it("lets two programs that run at once both have their settings", async () => {
    const mine = configs().create(declared());
    scenario.nextRun();
    const theirs = configs().create({
      projectRef: ref,
      statementTimeout: "5s",
      __owner: "acme/other/dev/its",
    });
    await Promise.all([mine, theirs]);
    expect(project()?.postgresOverrides).toEqual({
      work_mem: "16MB",
      max_connections: 120,
      statement_timeout: "5s",
    });
  });
});

describe("SecretSet", () => {
  const sets = () => scenario.manage(secretSet);
  const declared = () => ({ projectRef: ref, secrets: { HOST: "our-host", TOKEN: "our-token" } });
  const secrets = () => [...(project()?.secrets ?? [])].map(([name, { value }]) => [name, value]);

  it("writes once more what another program removed", async () => {
    otherWrites("createSecrets", 1, () => project()?.secrets.delete("TOKEN"));
    await sets().create(declared());
    expect(Object.fromEntries(secrets())).toMatchObject({ HOST: "our-host", TOKEN: "our-token" });
    expect(scenario.calls("createSecrets")).toBe(2);
  });

  it("only warns of another value of the same name", async () => {
    otherWrites("createSecrets", 9, () =>
      project()?.secrets.set("TOKEN", { value: "their-token", updatedAt: scenario.clock.now() }),
    );
    const made = await sets().create(declared());
    expect(scenario.calls("createSecrets")).toBe(1);
    expect(scenario.warnings.join()).toContain("`TOKEN` of the project");
    expect(scenario.warnings.join()).not.toContain("their-token");
    expect(made.state).toMatchObject({ outOfSync: ["TOKEN"] });
  });
});

describe("a list of addresses", () => {
  const setLists = (v4: string[]): void =>
    scenario.emulator.control.edit(({ projects }) => {
      const record = projects.get(ref)?.network.restrictions;
      if (record) record.config = { v4, v6: [] };
    });
  const entry = () => ({ projectRef: ref, cidr: "203.0.113.0/24" });

  it("has an entry again that another program's list took out", async () => {
    otherWrites("patchNetworkRestrictions", 1, () => setLists(["192.0.2.0/24"]));
    await scenario.manage(allowedCidr).create(entry());
    expect(project()?.network.restrictions.config.v4).toEqual(["192.0.2.0/24", "203.0.113.0/24"]);
    expect(scenario.warnings).toEqual([]);
  });

  it("is told where the other program takes it out again", async () => {
    otherWrites("patchNetworkRestrictions", 9, () => setLists(["192.0.2.0/24"]));
    await scenario.manage(allowedCidr).create(entry());
    expect(scenario.calls("patchNetworkRestrictions")).toBe(2);
    expect(scenario.warnings.join()).toContain("another program removed it both times");
  });

  it("is told as a whole where another program has set another one", async () => {
    otherWrites("applyNetworkRestrictions", 9, () => setLists(["192.0.2.0/24"]));
    const lists = scenario.manage(networkRestrictions);
    await lists.create({ projectRef: ref, allowedCidrs: ["203.0.113.0/24"] });
    expect(scenario.calls("applyNetworkRestrictions")).toBe(1);
    expect(scenario.warnings.join()).toContain("`allowedCidrs` of the NetworkRestrictions");
  });
});

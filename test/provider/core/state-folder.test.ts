import os from "node:os";
import { findStateFolder } from "../../../provider/core/state-folder";
import { startProviderProcess, type ProviderProcess } from "../../kit/provider-process";
import { startScenario, type Scenario } from "../../kit/scenario";

describe("the state folder", () => {
  it("is the user's", () => {
    expect(findStateFolder({ XDG_STATE_HOME: "/state" }, "linux")).toBe("/state/pulumi-management");
    expect(findStateFolder({ HOME: "/home/u" }, "linux")).toBe("/home/u/.local/state/pulumi-management");
    expect(findStateFolder({ HOME: "/home/u" }, "darwin")).toBe(
      "/home/u/Library/Application Support/pulumi-management",
    );
  });

  it("is none where the user has neither a home nor an entry among the machine's users", () => {
    const asking = jest.spyOn(os, "homedir").mockImplementation(() => {
      throw new Error("A system error occurred: uv_os_homedir returned ENOENT (no such file or directory)");
    });
    expect(findStateFolder({}, "linux")).toBeUndefined();
    expect(findStateFolder({}, "win32")).toBeUndefined();
    expect(findStateFolder({ XDG_STATE_HOME: "/state" }, "linux")).toBe("/state/pulumi-management");
    asking.mockRestore();
  });
});

describe("a machine without a home", () => {
  let scenario: Scenario;
  let projectRef: string;
  let provider: ProviderProcess;
  beforeEach(async () => {
    scenario = await startScenario();
    projectRef = scenario.healthyProject();
    // As Node does for a user that the machine does not know.
    jest.spyOn(os, "homedir").mockImplementation(() => {
      throw new Error("uv_os_homedir returned ENOENT (no such file or directory)");
    });
    provider = startProviderProcess(scenario, "ApiKey", {
      config: {},
      env: {
        XDG_STATE_HOME: undefined,
        MANAGEMENT_BASE_URL: scenario.emulator.url,
        MANAGEMENT_ACCESS_TOKEN: scenario.emulator.accessToken,
      },
    });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await provider.close();
    await scenario.close();
  });

  const keys = (): string[] => [
    ...(scenario.emulator.world.state.projects.get(projectRef)?.apiKeys.keys() ?? []),
  ];

  it("creates all the same, and says once that a killed run could not be resumed", async () => {
    const before = keys();
    const made: string[] = [];
    for (const name of ["backend", "frontend"]) {
      const declared = { projectRef, type: "secret", name, __owner: `acme/shop/dev/${name}` };
      const { inputs, failures } = await provider.check(declared);
      expect(failures).toEqual([]);
      made.push((await provider.create(inputs)).id);
    }
    expect(keys()).toEqual([...before, ...made]);
    expect(provider.lines.filter((line) => line.includes("ledger"))).toEqual([
      expect.stringContaining("XDG_STATE_HOME"),
    ]);
  });

  it("changes and deletes without a word about it", async () => {
    const before = keys();
    const declared = { projectRef, type: "secret", name: "backend", __owner: "acme/shop/dev/backend" };
    const made = await provider.create((await provider.check(declared)).inputs);
    provider.lines.splice(0);
    const changed = (await provider.check({ ...declared, description: "changed" })).inputs;
    expect((await provider.diff(made, changed)).changes).toBe(true);
    await provider.delete(await provider.update(made, changed));
    expect(keys()).toEqual(before);
    expect(provider.lines).toEqual([]);
  });
});

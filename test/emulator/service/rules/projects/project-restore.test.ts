import { createRulesWorld, found, type RulesWorld } from "../rules-world";

describe("a restore", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject("shop", "hobby");
  });
  const status = (): string => service.call("getProject", { ref }).status;
  function pause(): void {
    service.call("pauseProject", { ref });
    service.advance(60);
  }

  it.each([
    ["COMING_UP", 5],
    ["RESTORING", 25],
  ])("is cancelled while the project is %s, and may begin again", (during, seconds) => {
    pause();
    service.call("restoreProject", { ref });
    service.advance(seconds);
    expect(status()).toBe(during);
    service.call("cancelRestore", { ref });
    expect(status()).toBe("INACTIVE");
    service.advance(3_600);
    expect(status()).toBe("INACTIVE");
    service.call("restoreProject", { ref });
    service.advance(190);
    expect(status()).toBe("ACTIVE_HEALTHY");
  });

  it("cannot be cancelled when none is under way, least of all while the project is made", () => {
    expect(service.refusal("cancelRestore", { ref })).toBe(
      "400 Project status is ACTIVE_HEALTHY: no restore is under way",
    );
    pause();
    expect(service.refusal("cancelRestore", { ref })).toMatch(/^400 .*INACTIVE/);
    const made = service.newProject();
    service.advance(10);
    expect(service.refusal("cancelRestore", { ref: made })).toMatch(/^400 .*COMING_UP/);
    expect(service.refusal("cancelRestore", { ref: "zzzzzzzzzzzzzzzzzzzz" })).toBe("404 Project not found");
  });

  it("can install the engine's versions from the project's own up, in the channels allowed", () => {
    const versions = (): string[] =>
      service
        .call("listRestoreVersions", { ref })
        .available_versions.map((one) => `${one.postgres_engine} ${one.release_channel} ${one.version}`);
    expect(service.refusal("listRestoreVersions", { ref })).toBe("400 This project is not in a paused state");
    pause();
    expect(versions()).toEqual(["17 ga 17.6.1.011"]);
    service.world.state.organizations.get("hobby")?.allowedReleaseChannels.push("beta", "withdrawn");
    expect(versions()).toEqual(["17 ga 17.6.1.011", "17 beta 17.6.1.016"]);
    service.projectRecord(ref).database = { engine: "17", version: "17.6.1.012", releaseChannel: "ga" };
    expect(versions()).toEqual(["17 beta 17.6.1.016"]);
    service.projectRecord(ref).database = { engine: "14", version: "14.2", releaseChannel: "ga" };
    expect(versions()).toEqual(["14 ga 14.18.1.004"]);
    service.projectRecord(ref).database = { engine: "9", version: "9.6", releaseChannel: "ga" };
    expect(versions()).toEqual([]);
  });
});

describe("pausing", () => {
  // service, Compute size: on a paid plan pausing is 400.
  it("is refused on a paid plan, and leaves the project as it is", () => {
    const service = createRulesWorld();
    const ref = service.healthyProject();
    for (const plan of ["pro", "team", "enterprise"] as const) {
      found(service.world.state.organizations.get("acme")).plan = plan;
      expect(service.refusal("pauseProject", { ref })).toBe(
        "400 Project is not free-tier. Please downgrade it to free-tier first and try again.",
      );
    }
    expect(service.call("getProject", { ref }).status).toBe("ACTIVE_HEALTHY");
    for (const plan of ["free", "platform"] as const) {
      found(service.world.state.organizations.get("acme")).plan = plan;
      const other = service.healthyProject();
      service.call("pauseProject", { ref: other });
      expect(service.call("getProject", { ref: other }).status).toBe("PAUSING");
    }
  });

  it("is refused while anything else goes on", () => {
    const service = createRulesWorld();
    const ref = service.healthyProject("shop", "hobby");
    const refused = (status: string): void => {
      expect(service.call("getProject", { ref }).status).toBe(status);
      expect(service.refusal("pauseProject", { ref })).toBe(
        `400 Project status is ${status}, but must be ACTIVE_HEALTHY for this operation`,
      );
    };
    service.call("pauseProject", { ref });
    refused("PAUSING");
    service.advance(60);
    service.call("restoreProject", { ref });
    refused("COMING_UP");
    service.advance(20);
    refused("RESTORING");
    service.advance(230);
    service.call("updatePostgresConfig", { ref, body: { restart_database: true } });
    refused("RESTARTING");
    service.advance(120);
    service.call("deleteProject", { ref });
    refused("GOING_DOWN");
  });
});

describe("an organization of the plan free", () => {
  it("has room for two active projects; a paused one leaves its place until it comes back", () => {
    const service = createRulesWorld();
    const ref = service.healthyProject("shop", "hobby");
    service.healthyProject("shop", "hobby");
    const body = { name: "third", organization_slug: "hobby", db_pass: "a-password" };
    expect(service.refusal("createProject", { body })).toBe(
      "400 Max number of active projects reached: the plan free allows 2",
    );
    expect(service.world.state.projects.size).toBe(2);
    service.call("pauseProject", { ref });
    const third = service.healthyProject("shop", "hobby");
    expect(service.refusal("restoreProject", { ref })).toMatch(/^400 Max number of active projects/);
    service.call("deleteProject", { ref: third });
    service.call("restoreProject", { ref });
    expect(service.call("getProject", { ref }).status).toBe("COMING_UP");
  });
});
